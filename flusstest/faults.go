package flusstest

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Profile says how often random faults happen: each number is the share of requests, 0 to 1. They exclude each other.
type Profile struct {
	Drop   float64 // request lost
	Lose   float64 // performed, answer lost
	Hangup float64 // connection closed, nothing performed
	Cut    float64 // performed, connection closed within the answer
	Twice  float64 // performed twice
	Delay  float64 // answered late, by up to MaxDelay
	Refuse float64 // answered with one of Codes, nothing performed

	MaxDelay time.Duration // 10ms by default
	Codes    []int         // 12 (NOT_LEADER_OR_FOLLOWER) by default
	APIs     []API         // the APIs hit; nil: all but API_VERSIONS and AUTHENTICATE
}

// Faults makes random faults until remove is called. The same seed makes the same sequence of faults; which requests it
// hits also depends on their order.
func (s *Server) Faults(seed uint64, p Profile) (remove func()) {
	if p.MaxDelay <= 0 {
		p.MaxDelay = 10 * time.Millisecond
	}
	if len(p.Codes) == 0 {
		p.Codes = []int{12}
	}
	f := &faults{profile: p, random: rand.New(rand.NewPCG(seed, seed))}
	return s.Hook(f.hook)
}

type faults struct {
	profile Profile
	mu      sync.Mutex
	random  *rand.Rand
}

func (f *faults) hook(r *Request) Action {
	p := &f.profile
	switch {
	case p.APIs == nil && (r.API == APIVersions || r.API == Authenticate):
		return Action{}
	case p.APIs != nil && !slices.Contains(p.APIs, r.API):
		return Action{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	dice := f.random.Float64()
	for _, fault := range []struct {
		share float64
		make  func() Action
	}{
		{p.Drop, Drop},
		{p.Lose, Lose},
		{p.Hangup, Hangup},
		{p.Cut, func() Action { return Cut(f.random.IntN(64)) }},
		{p.Twice, func() Action { return Action{Twice: true} }},
		{p.Delay, func() Action { return Action{Delay: 1 + time.Duration(f.random.Int64N(int64(p.MaxDelay)))} }},
		{p.Refuse, func() Action { return Refuse(p.Codes[f.random.IntN(len(p.Codes))]) }},
	} {
		if dice < fault.share {
			return fault.make()
		}
		dice -= fault.share
	}
	return Action{}
}

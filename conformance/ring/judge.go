package ring

import (
	"fmt"
	"sync"
)

// maxFindings is how many are told in words.
const maxFindings = 40

// judge collects what must not happen.
type judge struct {
	mu       sync.Mutex
	verdict  Verdict
	findings []string
}

// counter picks one of the verdict's numbers.
type counter func(*Verdict) *int

func lost(v *Verdict) *int              { return &v.Lost }
func doubled(v *Verdict) *int           { return &v.Doubled }
func wrong(v *Verdict) *int             { return &v.Wrong }
func short(v *Verdict) *int             { return &v.Short }
func undocumented(v *Verdict) *int      { return &v.Undocumented }
func late(v *Verdict) *int              { return &v.Late }
func unknownUnreported(v *Verdict) *int { return &v.UnknownUnreported }
func broken(v *Verdict) *int            { return &v.Broken }
func undecided(v *Verdict) *int         { return &v.Undecided }

// found counts one finding and keeps its words.
func (j *judge) found(c counter, format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	*c(&j.verdict)++
	if len(j.findings) < maxFindings {
		j.findings = append(j.findings, fmt.Sprintf(format, args...))
	}
}

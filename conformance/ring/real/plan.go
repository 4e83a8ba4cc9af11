package real

import (
	"math/rand/v2"
	"time"
)

// Kinds of faults, as the report names them.
const (
	killLeader      = "leader killed"           // SIGKILL
	stopLeader      = "leader restarted"        // SIGTERM
	freezeLeader    = "leader frozen"           // SIGSTOP
	killCoordinator = "coordinator killed"      // SIGKILL
	stopCoordinator = "coordinator restarted"   // SIGTERM
	stopTablet      = "tablet server restarted" // SIGTERM, the only one
)

// A frozen server thaws after a time between these.
const (
	freezeMin = 5 * time.Second
	freezeMax = 20 * time.Second
)

// replicatedPlan is the faults of three tablet servers: one leader is killed first, the rest is in an order that the seed
// decides. n bounds them; 0: all.
func replicatedPlan(random *rand.Rand, n int) []string {
	plan := repeat(killLeader, 19)
	plan = append(plan, repeat(stopLeader, 5)...)
	plan = append(plan, repeat(freezeLeader, 5)...)
	plan = append(plan, repeat(killCoordinator, 5)...)
	random.Shuffle(len(plan), func(i, j int) { plan[i], plan[j] = plan[j], plan[i] })
	return first(append([]string{killLeader}, plan...), n)
}

// singlePlan is the faults of a single tablet server, which cannot be killed without a loss.
func singlePlan(n int) []string {
	return first([]string{stopTablet, killCoordinator, stopTablet, stopCoordinator}, n)
}

func repeat(kind string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = kind
	}
	return list
}

func first(plan []string, n int) []string {
	if n > 0 {
		return plan[:min(n, len(plan))]
	}
	return plan
}

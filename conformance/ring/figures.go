package ring

// Freeze is what a frozen leader cost reads of its bucket. All times are in seconds.
type Freeze struct {
	Seconds     float64 `json:"seconds"`      // that it lasted
	NewLeader   float64 `json:"new_leader_s"` // after its begin the coordinator named another leader; 0: it never did
	Reads       int     `json:"reads"`
	LongestRead float64 `json:"longest_read_s"`
	// NewLeaderTablet is the same for another tablet server.
	NewLeaderTablet float64 `json:"new_leader_at_tablet_s"`

	// NewLeaderAnswers is when that leader first answered as one, over a new connection. Until then it refuses, or keeps silent.
	NewLeaderAnswers float64 `json:"new_leader_answers_s"`

	LookupOver float64  `json:"lookup_over_s"` // at most, that a lookup took after NewLeader, or after its own begin
	ScanOver   float64  `json:"scan_over_s"`
	OverAnswer float64  `json:"over_answer_s"` // at most, that a read took after NewLeaderAnswers, or after its own begin
	Errors     []string `json:"errors,omitempty"`
}

// Isolation is what one server that is gone costs calls that concern the others.
type Isolation struct {
	Seconds float64 `json:"seconds"` // that the server was gone
	Callers int     `json:"callers"` // of buckets on other servers
	Waiting int     `json:"callers_of_the_gone_server"`

	CallsBefore int64    `json:"calls_before"`
	CallsGone   int64    `json:"calls_while_gone"`
	P50Before   float64  `json:"p50_before_ms"`
	P50Gone     float64  `json:"p50_while_gone_ms"`
	P99Before   float64  `json:"p99_before_ms"`
	P99Gone     float64  `json:"p99_while_gone_ms"`
	P99Ratio    float64  `json:"p99_ratio"`
	Failed      int64    `json:"failed"`           // calls of buckets on other servers
	Slow        int64    `json:"slow"`             // good ones of those that took a second and more
	Errors      []string `json:"errors,omitempty"` // of the first that failed

	HeapBefore int64 `json:"heap_before_bytes"` // after a collection
	HeapGone   int64 `json:"heap_while_gone_bytes"`
	HeapAfter  int64 `json:"heap_after_bytes"`
}

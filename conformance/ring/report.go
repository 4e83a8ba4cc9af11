package ring

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Report is what a ring did and found. Its JSON form is what the README is printed from.
type Report struct {
	Ring    string    `json:"ring"`
	Seed    uint64    `json:"seed"`
	Pieces  int       `json:"pieces,omitempty"` // that were summed up, with seeds of their own
	Started time.Time `json:"started"`
	Seconds float64   `json:"seconds"`
	Go      string    `json:"go"`
	Driver  string    `json:"driver"`

	Operations   int64           `json:"operations"` // statements
	Acknowledged int64           `json:"acknowledged_rows"`
	Unknown      int64           `json:"unknown_rows"`          // reported as unknown
	NotStored    int64           `json:"not_stored_rows"`       // reported as not stored
	RowsRead     int64           `json:"rows_read"`             // and checked
	Histories    int64           `json:"histories"`             // of keys, checked against a register
	ChangeLogs   int64           `json:"change_logs,omitempty"` // of keys, checked against their histories
	Partitions   int             `json:"partitions,omitempty"`  // that were made while it ran, with the first ones
	Cancelled    int64           `json:"cancelled_calls"`       // given a short deadline or cancelled
	Calls        map[string]Call `json:"calls"`
	Errors       map[string]int  `json:"errors"`          // by documented class
	Codes        int             `json:"different_codes"` // that servers refused with
	Faults       int             `json:"faults"`
	FaultKinds   map[string]int  `json:"fault_kinds"`

	// Stalled is for how long, in seconds, the process itself did not get to run: calls are not blamed for that.
	Stalled float64 `json:"stalled_s"`

	Freezes   []Freeze   `json:"freezes,omitempty"`   // of leaders of a real cluster
	Isolation *Isolation `json:"isolation,omitempty"` // of servers from one another

	Verdict  Verdict  `json:"verdict"`
	Findings []string `json:"findings"` // the first of them, in words
}

// Call is what became of the calls of one kind.
type Call struct {
	Calls  int64   `json:"calls"`
	Failed int64   `json:"failed"`
	P50    float64 `json:"p50_ms"`
	P99    float64 `json:"p99_ms"`
	Max    float64 `json:"max_ms"`
}

// Verdict counts what must not happen: all of it has to be zero, HeapLeft at most MaxHeapLeft.
type Verdict struct {
	Lost              int   `json:"acknowledged_rows_missing_or_changed"`
	Doubled           int   `json:"log_rows_doubled"`
	Wrong             int   `json:"wrong_rows_or_values"`
	Short             int   `json:"short_results_reported_complete"`
	Undocumented      int   `json:"errors_outside_documented_classes"`
	Late              int   `json:"calls_over_1s_past_their_context"`
	UnknownUnreported int   `json:"unknown_outcomes_not_reported"`
	Broken            int   `json:"histories_no_register_has"`
	Undecided         int   `json:"histories_undecided"`
	Goroutines        int   `json:"goroutines_left"`
	Files             int   `json:"file_descriptors_left"`
	HeapLeft          int64 `json:"heap_bytes_left"`
}

// MaxHeapLeft is how many bytes of heap may be left when the pools are closed.
const MaxHeapLeft = 2 << 20

// OK says whether nothing was found.
func (v Verdict) OK() bool {
	heap := v.HeapLeft
	v.HeapLeft = 0
	return v == Verdict{} && heap <= MaxHeapLeft
}

// Write writes the report as indented JSON to a file.
func (r *Report) Write(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// ReadReport reads what Report.Write wrote.
func ReadReport(file string) (*Report, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return r, nil
}

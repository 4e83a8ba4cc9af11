package ring

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:generate go run ./cmd/readme

// The section of the README that is printed from the reports stands between these lines.
const (
	sectionBegin = "<!-- from conformance/ring/reports, by go generate ./conformance/ring -->\n"
	sectionEnd   = "<!-- end of the reports -->\n"
)

// rings are the reports in the order of the README, and what it calls their clusters.
var rings = []struct{ file, cluster string }{
	{"embedded.json", "embedded server"},
	{"replicated.json", "three tablet servers, replication 3"},
	{"single.json", "one tablet server"},
}

// Section prints the reports of a directory for the README.
func Section(dir string) (string, error) {
	var columns []*Report
	head, line := "| |", "| --- |"
	for _, ring := range rings {
		r, err := ReadReport(filepath.Join(dir, ring.file))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		columns = append(columns, r)
		head += " " + ring.cluster + " |"
		line += " --- |"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", head, line)
	for _, row := range sectionRows {
		fmt.Fprintf(&b, "| %s |", row.name)
		for _, r := range columns {
			fmt.Fprintf(&b, " %s |", row.cell(r))
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

var sectionRows = []struct {
	name string
	cell func(r *Report) string
}{
	{"calls", func(r *Report) string { return number(r.Operations) }},
	{"of them cancelled, or with a short deadline", func(r *Report) string { return number(r.Cancelled) }},
	{"faults", func(r *Report) string { return number(int64(r.Faults)) }},
	{"kinds of faults", kindsOfFaults},
	{"rows acknowledged, unknown, not stored", func(r *Report) string {
		return number(r.Acknowledged) + ", " + number(r.Unknown) + ", " + number(r.NotStored)
	}},
	{"rows read and checked", func(r *Report) string { return number(r.RowsRead) }},
	{"histories of keys checked", func(r *Report) string { return number(r.Histories) }},
	{"time, date", func(r *Report) string {
		return fmt.Sprintf("%.0f s, %s", r.Seconds, r.Started.Format("2006-01-02"))
	}},
	{"**acknowledged rows missing or changed**", verdictCell(func(v Verdict) int { return v.Lost })},
	{"**log rows doubled**", verdictCell(func(v Verdict) int { return v.Doubled })},
	{"**wrong rows or values**", verdictCell(func(v Verdict) int { return v.Wrong })},
	{"**short results reported as complete**", verdictCell(func(v Verdict) int { return v.Short })},
	{"**errors outside the documented classes**", verdictCell(func(v Verdict) int { return v.Undocumented })},
	{"**calls over 1 s past their context**", verdictCell(func(v Verdict) int { return v.Late })},
	{"**unknown outcomes not reported**", verdictCell(func(v Verdict) int { return v.UnknownUnreported })},
	{"**histories that no register has, undecided**", func(r *Report) string { return fmt.Sprintf("%d, %d", r.Verdict.Broken, r.Verdict.Undecided) }},
	{"**goroutines, descriptors left**", func(r *Report) string { return fmt.Sprintf("%d, %d", r.Verdict.Goroutines, r.Verdict.Files) }},
	{"heap left, of 2 MiB allowed", func(r *Report) string { return fmt.Sprintf("%.1f MiB", float64(r.Verdict.HeapLeft)/(1<<20)) }},
}

func verdictCell(count func(Verdict) int) func(*Report) string {
	return func(r *Report) string { return fmt.Sprint(count(r.Verdict)) }
}

// kindsOfFaults lists few kinds with their numbers, of many only how many there are.
func kindsOfFaults(r *Report) string {
	const few = 8
	if len(r.FaultKinds) > few {
		return fmt.Sprint(len(r.FaultKinds))
	}
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(r.FaultKinds)) {
		list = append(list, fmt.Sprintf("%s %d", kind, r.FaultKinds[kind]))
	}
	return strings.Join(list, ", ")
}

// number groups digits by three.
func number(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// UpdateReadme puts the reports of a directory into a README.
func UpdateReadme(readme, dir string) error {
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	section, err := Section(dir)
	if err != nil {
		return err
	}
	before, _, after, ok := cutSection(string(text))
	if !ok {
		return fmt.Errorf("%s has no section for the reports", readme)
	}
	return os.WriteFile(readme, []byte(before+sectionBegin+section+sectionEnd+after), 0o644)
}

// cutSection cuts a README at the section of the reports.
func cutSection(text string) (before, section, after string, ok bool) {
	before, rest, begins := strings.Cut(text, sectionBegin)
	section, after, ends := strings.Cut(rest, sectionEnd)
	return before, section, after, begins && ends
}

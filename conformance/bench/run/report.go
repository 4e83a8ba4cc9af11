package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// line is one run.
type line struct {
	Workload   string         `json:"workload"`
	Contestant string         `json:"contestant"`
	Round      int            `json:"round"`
	Result     map[string]any `json:"result"`
}

func (l *line) number(key string) float64 {
	v, _ := l.Result[key].(float64)
	return v
}

// report prints one line for each workload and each build of ours: the median, its allocations, and the ratios to the
// others. A mark tells whether the goal holds in the median.
func report(out io.Writer, lines []line, names []string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer w.Flush()
	var peers []string
	fmt.Fprint(w, "workload\tcontestant\tmedian\tallocs/op")
	for _, n := range names {
		if !strings.HasPrefix(n, "ours") {
			peers = append(peers, n)
			fmt.Fprintf(w, "\tto %s (min-max)", n)
		}
	}
	fmt.Fprintln(w)
	played := workload{}
	for _, load := range workloads {
		if load.args != nil {
			played = load
		}
		for _, ours := range names {
			values := numbers(lines, played.id, ours, load.metric.key)
			if !strings.HasPrefix(ours, "ours") || len(values) == 0 {
				continue
			}
			fmt.Fprintf(w, "%s\t%s\t%s %s\t%.3g", load.id, ours, short(median(list(values))), load.metric.key, median(list(numbers(lines, played.id, ours, "allocs_op"))))
			for _, p := range peers {
				fmt.Fprint(w, "\t"+ratio(values, numbers(lines, played.id, p, load.metric.key), load.goal(p), load.metric))
			}
			fmt.Fprintln(w)
		}
	}
}

// numbers are those of one contestant by round.
func numbers(lines []line, workload, contestant, key string) map[int]float64 {
	out := map[int]float64{}
	for i := range lines {
		if l := &lines[i]; l.Workload == workload && l.Contestant == contestant {
			out[l.Round] = l.number(key)
		}
	}
	return out
}

// ratio is the median of ours/peer over the rounds that both played, with its spread and the goal.
func ratio(ours, peer map[int]float64, g *goal, m metric) string {
	var all []float64
	for round, v := range peer {
		if o, ok := ours[round]; ok && v > 0 {
			all = append(all, o/v)
		}
	}
	if len(all) == 0 {
		return "-"
	}
	mid := median(all)
	text := fmt.Sprintf("%.2f (%.2f-%.2f)", mid, slices.Min(all), slices.Max(all))
	if g == nil {
		return text
	}
	sign, met := ">=", mid >= g.bound
	if m.better == "lower" {
		sign, met = "<=", mid <= g.bound
	}
	mark := "missed"
	if met {
		mark = "ok"
	}
	return fmt.Sprintf("%s %s %s%.2f", text, mark, sign, g.bound)
}

func (w *workload) goal(peer string) *goal {
	for i := range w.goals {
		if w.goals[i].peer == peer {
			return &w.goals[i]
		}
	}
	return nil
}

func list(m map[int]float64) []float64 {
	var out []float64
	for _, v := range m {
		out = append(out, v)
	}
	return out
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// short writes a number in thousands and millions.
func short(v float64) string {
	switch {
	case v >= 1e6:
		return fmt.Sprintf("%.2fM", v/1e6)
	case v >= 1e4:
		return fmt.Sprintf("%.1fk", v/1e3)
	}
	return fmt.Sprintf("%.4g", v)
}

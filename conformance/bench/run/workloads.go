package main

import "strconv"

// workload is a line of the table: what is compared, and how each contestant is asked for it.
type workload struct {
	id     string
	metric metric
	n      int               // operations at scale 1, or rows
	fresh  string            // the command that makes an empty table before each run; "" for none
	args   map[string]string // by contestant; without an entry it does not take part. n is added
	goals  []goal
}

// metric is what is compared: a rate, the median latency, or CPU seconds per million operations.
type metric struct {
	key    string // of the JSON line
	better string // "higher" or "lower"
}

var (
	rate    = metric{"per_s", "higher"}
	latency = metric{"p50_us", "lower"}
	cpu     = metric{"cpu_per_m", "lower"}
)

// goal is a bound on ours/peer: at least for a rate, at most for the others.
type goal struct {
	peer  string
	bound float64
}

const (
	javaOne = " client.lookup.max-batch-size=1"
	java1ms = " client.lookup.batch-timeout=1ms client.writer.batch-timeout=1ms"
)

var workloads = []workload{
	{id: "W1", metric: latency, n: 20_000, args: map[string]string{
		"ours": "W1 table=bench.kv warm=500", "floor": "w1 table=kv warm=500", "java": "w1 table=kv warm=3000" + javaOne},
		goals: []goal{{"java", 1.0}}},
	{id: "W2", metric: rate, n: 200_000, args: map[string]string{
		"ours": "W2 table=bench.kv", "floor": "w2 table=kv warm=20000 depth=2 per=64", "java": "w2 table=kv warm=100000" + java1ms},
		goals: []goal{{"java", 2.7}, {"floor", 0.3}}},
	{id: "W2 cpu", metric: cpu, goals: []goal{{"java", 1.0 / 3}}},
	{id: "W3", metric: rate, n: 200_000, args: map[string]string{
		"ours": "W3 table=bench.kv", "floor": "w3 table=kv warm=20000 per=1000", "java": "w3 table=kv warm=100" + java1ms},
		goals: []goal{{"java", 1.4}, {"floor", 0.6}}},
	{id: "W4", metric: rate, n: 1_000_000, fresh: "fresh-kv", args: map[string]string{
		"ours": "W4", "floor": "w4 table=kv4 depth=2 per=100000", "java": "w4 table=kv4", "pyfluss": "w4 table=kv4"},
		goals: []goal{{"floor", 0.9}}},
	{id: "W4 cpu", metric: cpu, goals: []goal{{"java", 0.75}}},
	{id: "W5", metric: rate, n: 30_000, args: map[string]string{
		"ours": "W5 table=bench.kv5", "floor": "w5 table=kv5 warm=5000 per=64", "java": "w5 table=kv5 warm=10000" + java1ms},
		goals: []goal{{"java", 1.7}, {"floor", 0.65}}},
	{id: "W6", metric: rate, n: 2_000_000, fresh: "fresh-log", args: map[string]string{
		"ours": "W6", "floor": "w6 table=log6 from=log8 depth=8", "java": "w6 table=log6", "pyfluss": "w6 table=log6"},
		goals: []goal{{"java", 1.5}}},
	{id: "W7", metric: rate, n: 2_000_000, args: map[string]string{
		"ours": "W7 table=bench.log8", "floor": "w7 table=log8", "java": "w7 table=log8", "pyfluss": "w7 table=log8 mode=rows"},
		goals: []goal{{"java", 3}}},
	{id: "W7 one bucket", metric: rate, n: 2_000_000, args: map[string]string{
		"ours": "W7 table=bench.log1", "floor": "w7 table=log1 buckets=1", "java": "w7 table=log1", "pyfluss": "w7 table=log1 mode=rows"},
		goals: []goal{{"java", 1.4}}},
	{id: "W7 two columns", metric: rate, n: 2_000_000, args: map[string]string{
		"ours": "W7 table=bench.log8 columns=2", "floor": "w7 table=log8 proj=1", "java": "w7 table=log8 proj=1", "pyfluss": "w7 table=log8 mode=rows proj=1"},
		goals: []goal{{"java", 1.8}}},
	{id: "W6 Arrow", metric: rate, n: 2_000_000, fresh: "fresh-log", args: map[string]string{
		"ours": "W6 mode=arrow", "pyfluss": "w6 table=log6"},
		goals: []goal{{"pyfluss", 0.85}}},
	{id: "W7 Arrow", metric: rate, n: 2_000_000, args: map[string]string{
		"ours": "W7 table=bench.log8 mode=arrow", "pyfluss": "w7 table=log8 mode=arrow"},
		goals: []goal{{"pyfluss", 1}}},
	{id: "W7 Arrow, two columns", metric: rate, n: 2_000_000, args: map[string]string{
		"ours": "W7 table=bench.log8 mode=arrow columns=2", "pyfluss": "w7 table=log8 mode=arrow proj=1"},
		goals: []goal{{"pyfluss", 1}}},
	{id: "W8", metric: latency, n: 2000, args: map[string]string{
		"ours": "W8 table=bench.kv", "floor": "w8 table=kv warm=50", "java": "w8 table=kv warm=500", "pyfluss": "w8 table=kv warm=20"},
		goals: []goal{{"java", 0.55}, {"floor", 1.7}}},
	{id: "W9", metric: latency, n: 50, args: map[string]string{
		"ours": "W9 table=bench.kv", "floor": "w9 table=kv", "java": "w9 table=kv" + javaOne},
		goals: []goal{{"floor", 1.25}}},
}

// count is the n argument of a contestant.
func (w *workload) count(contestant string, scale float64) string {
	n := max(int(float64(w.n)*scale), 1)
	switch {
	case w.id == "W9" && contestant == "java": // its close takes seconds
		n = min(n, 3)
	case w.id == "W3" && contestant == "java": // it counts batches
		n = max(n/1000, 1)
	case w.id == "W2" && contestant == "floor": // it is over too soon
		n *= 4
	}
	return "n=" + strconv.Itoa(n)
}

// Bench runs one workload of the peer measurements through database/sql and prints one JSON line.
//
//	BOOT=127.0.0.1:9123 go run ./conformance/bench W2 table=bench.kv n=200000
//
// The first argument is the workload, the others are key=value: table, n (operations), warm (operations before the
// clock), callers, pipelines and rows (bulk writes: statements at a time, and their rows), variant (a label), frames=1 (operations a request), cpuprofile (a file). "setup" makes and loads the tables, "fresh-kv" and "fresh-log" make an empty one,
// "drop" drops one. The environment names the cluster (BOOT) and, optionally, the tablet server's process (TS_PID), whose
// CPU time is then read too. Tables, rows and keys are functions of the row number, the same for every contestant.
package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"maps"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/gofluss/fluss"
)

// bench is one run.
type bench struct {
	workload string
	options  map[string]string
	extra    map[string]any // for the JSON line
	db       *sql.DB
	ctx      context.Context
	requests *atomic.Int64 // counted with frames=1
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("usage: bench WORKLOAD key=value ...")
	}
	b := &bench{workload: strings.ToUpper(os.Args[1]), options: map[string]string{}, extra: map[string]any{}, ctx: context.Background(), requests: new(atomic.Int64)}
	for _, a := range os.Args[2:] {
		k, v, ok := strings.Cut(a, "=")
		if !ok {
			log.Fatalf("argument %q is not key=value", a)
		}
		b.options[k] = v
	}
	var err error
	if b.db, err = b.open(); err != nil {
		log.Fatal(err)
	}
	defer b.db.Close()
	b.db.SetMaxOpenConns(256)
	b.db.SetMaxIdleConns(256)
	if path := b.text("cpuprofile", ""); path != "" {
		f, err := os.Create(path)
		if err != nil {
			log.Fatal(err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	run, ok := workloads[b.workload]
	if !ok {
		log.Fatalf("workload %s is not known", b.workload)
	}
	if err := run(b); err != nil {
		log.Fatal(err)
	}
}

var workloads = map[string]func(*bench) error{
	"W1": sequentialLookups, "W2": concurrentLookups, "W3": manyKeys, "W4": bulkUpsert, "W5": concurrentUpserts,
	"W6": bulkAppend, "W7": scan, "W8": limitScan, "W9": openAndLookup, "IDLE": idle,
	"SETUP": setup, "FRESH-KV": freshKV, "FRESH-LOG": freshLog, "DROP": drop,
}

// open is sql.Open; with frames=1 requests are counted, which costs a little.
func (b *bench) open() (*sql.DB, error) {
	if b.text("frames", "") == "" {
		return sql.Open("fluss", b.dsn())
	}
	cfg, err := fluss.ParseDSN(b.dsn())
	if err != nil {
		return nil, err
	}
	cfg.OnRequest = func(fluss.RequestInfo) { b.requests.Add(1) }
	c, err := fluss.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(c), nil
}

func (b *bench) dsn() string {
	boot := os.Getenv("BOOT")
	if boot == "" {
		boot = "127.0.0.1:9123"
	}
	return "fluss://" + boot + "/bench"
}

func (b *bench) text(key, def string) string {
	if v, ok := b.options[key]; ok {
		return v
	}
	return def
}

func (b *bench) number(key string, def int) int {
	n, err := strconv.Atoi(b.text(key, strconv.Itoa(def)))
	if err != nil {
		log.Fatalf("%s: %v", key, err)
	}
	return n
}

// span measures the timed part of a run.
type span struct {
	start          time.Time
	cpu, serverCPU float64
	mallocs, bytes uint64
	requests       int64
	latencies      []time.Duration
}

func begin(b *bench) *span {
	s := &span{requests: b.requests.Load(), cpu: processCPU(), serverCPU: serverCPU()}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.mallocs, s.bytes = m.Mallocs, m.TotalAlloc
	s.start = time.Now()
	return s
}

// end prints the JSON line of a run of ops operations.
func (s *span) end(b *bench, ops int) error {
	secs := time.Since(s.start).Seconds()
	cpu, server := processCPU()-s.cpu, serverCPU()-s.serverCPU
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	line := map[string]any{
		"peer": "gofluss", "w": strings.ToLower(b.workload), "variant": b.text("variant", "default"), "ops": ops, "secs": round(secs, 4),
		"per_s": round(float64(ops)/secs, 1), "cpu_s": round(cpu, 3), "cpu_per_m": round(cpu*1e6/float64(ops), 3), "srv_cpu_s": round(server, 2),
		"allocs_op": round(float64(m.Mallocs-s.mallocs)/float64(ops), 2), "bytes_op": round(float64(m.TotalAlloc-s.bytes)/float64(ops), 0),
	}
	if n := b.requests.Load() - s.requests; n > 0 {
		line["ops_frame"] = round(float64(ops)/float64(n), 1)
	}
	maps.Copy(line, b.extra)
	if s.latencies != nil {
		slices.Sort(s.latencies)
		line["p50_us"] = micros(s.latencies[len(s.latencies)/2])
		line["p99_us"] = micros(s.latencies[len(s.latencies)*99/100])
	}
	return json.NewEncoder(os.Stdout).Encode(line)
}

func micros(d time.Duration) float64 { return round(float64(d)/1e3, 1) }

func round(f float64, digits int) float64 {
	v, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', digits, 64), 64)
	return v
}

// processCPU is user and system time of this process in seconds.
func processCPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// serverCPU is that of the tablet server in seconds, 0 when TS_PID does not name it.
func serverCPU() float64 {
	stat, err := os.ReadFile("/proc/" + os.Getenv("TS_PID") + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	const ticks = 100
	return (user + system) / ticks
}

func (b *bench) exec(query string, args ...any) error {
	_, err := b.db.ExecContext(b.ctx, query, args...)
	if err != nil {
		return fmt.Errorf("%.80s: %w", query, err)
	}
	return nil
}

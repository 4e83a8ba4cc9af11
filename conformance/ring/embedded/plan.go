package embedded

import (
	"math/rand/v2"
	"time"

	"github.com/gofluss/fluss/flusstest"
)

// Fault is one step of a Plan.
type Fault struct {
	Kind   string
	API    flusstest.API // of the request hit, for faults of single requests
	At     int           // a byte position, counted from the front
	Code   int           // an error code
	Server int           // a tablet server
	For    time.Duration
}

// kind is a kind of fault and how often it is drawn.
type kind struct {
	name   string
	weight int
	fill   func(f *Fault, p *Plan)
}

// kinds are all of them. Those with an API hit the next request of that API; the others happen to the cluster.
var kinds = []kind{
	{"request lost", 40, hits(nil)},
	{"answer lost", 60, hits(nil)},
	{"connection closed", 30, hits(nil)},
	{"connection reset", 30, hits(nil)},
	{"half-closed", 30, hits(nil)},
	{"answer cut", 300, hits((*Plan).position)},
	{"request cut", 60, onCluster((*Plan).position)},
	{"answer late", 60, hits((*Plan).late)},
	{"request late", 30, hits((*Plan).late)},
	{"answers swapped", 60, hits(nil)},
	{"answer doubled", 40, hits(nil)},
	{"request doubled", 60, hits(nil)},
	{"answer of unknown id", 30, hits(nil)},
	{"answer beside the point", 30, hits(nil)},
	{"answer oversized", 20, hits(nil)},
	{"answer of no frame", 20, hits(nil)},
	{"batch damaged", 40, hitsOf(flusstest.FetchLog, (*Plan).position)},
	{"refused", 160, hits((*Plan).code)},
	{"stored and refused", 40, writes((*Plan).openCode)},
	{"metadata of a wrong leader", 20, hitsOf(flusstest.GetMetadata, nil)},
	{"metadata without leaders", 20, hitsOf(flusstest.GetMetadata, nil)},
	{"metadata of a server that is not there", 20, hitsOf(flusstest.GetMetadata, nil)},
	{"metadata of swapped addresses", 20, hitsOf(flusstest.GetMetadata, nil)},
	{"metadata without the table", 10, hitsOf(flusstest.GetMetadata, nil)},
	{"leader moved", 60, onCluster((*Plan).server)},
	{"server silent", 12, onCluster((*Plan).server, (*Plan).outage)},
	{"server frozen", 12, onCluster((*Plan).server, (*Plan).outage)},
	{"server stopped", 12, onCluster((*Plan).server, (*Plan).outage)},
	{"server killed", 12, onCluster((*Plan).server, (*Plan).outage)},
	{"coordinator stopped", 6, onCluster((*Plan).outage)},
	{"metadata stale", 10, onCluster((*Plan).outage)},
	{"connections refused", 6, onCluster((*Plan).outage)},
	{"connections stalled", 6, onCluster((*Plan).outage)},
	{"connections dropped", 20, onCluster()},
}

// hitAPIs are what the load asks for, with the weights of hits.
var hitAPIs = []struct {
	api    flusstest.API
	weight int
}{
	{flusstest.PutKV, 30}, {flusstest.ProduceLog, 25}, {flusstest.Lookup, 15}, {flusstest.PrefixLookup, 8},
	{flusstest.LimitScan, 6}, {flusstest.FetchLog, 12}, {flusstest.ListOffsets, 6}, {flusstest.GetMetadata, 6},
	{flusstest.InitWriter, 4}, {flusstest.APIVersions, 6}, {flusstest.GetTableStats, 1},
}

// Plan is an endless sequence of faults, drawn from a seed.
type Plan struct {
	random    *rand.Rand
	positions map[string]int // the next byte position, by kind and API: each comes in turn
}

// NewPlan begins a plan.
func NewPlan(seed uint64) *Plan {
	return &Plan{random: rand.New(rand.NewPCG(seed, 0xfa)), positions: map[string]int{}}
}

var kindWeights = func() (sum int) {
	for _, k := range kinds {
		sum += k.weight
	}
	return sum
}()

// Next draws the next fault.
func (p *Plan) Next() *Fault {
	dice := p.random.IntN(kindWeights)
	for _, k := range kinds {
		if dice -= k.weight; dice < 0 {
			f := &Fault{Kind: k.name}
			k.fill(f, p)
			return f
		}
	}
	panic("unreachable")
}

func hits(details ...func(*Plan, *Fault)) func(*Fault, *Plan) {
	sum := 0
	for _, a := range hitAPIs {
		sum += a.weight
	}
	return func(f *Fault, p *Plan) {
		dice := p.random.IntN(sum)
		for _, a := range hitAPIs {
			if dice -= a.weight; dice < 0 {
				f.API = a.api
				break
			}
		}
		fillIn(f, p, details)
	}
}

func hitsOf(api flusstest.API, detail func(*Plan, *Fault)) func(*Fault, *Plan) {
	return func(f *Fault, p *Plan) {
		f.API = api
		fillIn(f, p, []func(*Plan, *Fault){detail})
	}
}

func writes(detail func(*Plan, *Fault)) func(*Fault, *Plan) {
	return func(f *Fault, p *Plan) {
		f.API = []flusstest.API{flusstest.PutKV, flusstest.ProduceLog}[p.random.IntN(2)]
		detail(p, f)
	}
}

func onCluster(details ...func(*Plan, *Fault)) func(*Fault, *Plan) {
	return func(f *Fault, p *Plan) { fillIn(f, p, details) }
}

func fillIn(f *Fault, p *Plan, details []func(*Plan, *Fault)) {
	for _, detail := range details {
		if detail != nil {
			detail(p, f)
		}
	}
}

// spans are how many byte positions are cut at in turn, from the front: all of the answer where answers are short, the
// heads, codes and first rows where they are long. Requests, and batches, have span positions.
var spans = map[flusstest.API]int{
	flusstest.PutKV: 96, flusstest.ProduceLog: 96, flusstest.InitWriter: 24, flusstest.ListOffsets: 64, flusstest.GetTableStats: 32,
	flusstest.APIVersions: 200, flusstest.GetMetadata: 200, flusstest.LimitScan: 200, flusstest.PrefixLookup: 256, flusstest.FetchLog: 400,
}

const span = 512

func (p *Plan) position(f *Fault) {
	n, key := spans[f.API], f.Kind+f.API.String()
	if n == 0 || f.Kind != "answer cut" {
		n = span
	}
	f.At = p.positions[key] % n
	p.positions[key]++
}

// late is up to twice the time after which a read is tried again.
func (p *Plan) late(f *Fault) { f.For = time.Duration(1 + p.random.Int64N(int64(2*attemptTimeout))) }

// outage is mostly shorter than the time after which a read is tried again.
func (p *Plan) outage(f *Fault) {
	f.For = time.Duration(1 + p.random.Int64N(int64(attemptTimeout/4)))
	if p.random.IntN(8) == 0 {
		f.For = time.Duration(1 + p.random.Int64N(int64(3*attemptTimeout)))
	}
}

func (p *Plan) server(f *Fault) { f.Server = p.random.IntN(tabletServers) }

// code is any code that a server can answer, and some that none knows, but for the one that says that a write is stored:
// no server answers that when it is not.
func (p *Plan) code(f *Fault) {
	const duplicate = 32
	for f.Code == 0 || f.Code == duplicate {
		f.Code = p.random.IntN(maxCode+2) - 1
	}
}

// maxCode is above the codes of 0.9.1.
const maxCode = 80

// openCode is a code by which a server says that a write may be stored.
func (p *Plan) openCode(f *Fault) { f.Code = openCodes[p.random.IntN(len(openCodes))] }

// openCodes: NETWORK_EXCEPTION, LOG_STORAGE_EXCEPTION, KV_STORAGE_EXCEPTION, REQUEST_TIME_OUT, STORAGE_EXCEPTION,
// NOT_ENOUGH_REPLICAS_AFTER_APPEND, and DUPLICATE_SEQUENCE, which says that it is, but not where.
var openCodes = []int{1, 10, 11, 25, 26, 28, 32}

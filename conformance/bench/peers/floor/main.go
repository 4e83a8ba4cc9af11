// Contestant "floor": no client at all. One TCP connection to the tablet server, request frames encoded
// before the clock starts, a sliding window of requests in flight, responses counted and thrown away
// (fetch responses are walked only as far as the batch headers). What this program reaches is the most that any client can
// reach on the same machine with the same request shapes. Standard library only. See ../../workloads.md.
package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// api keys of the 0.9.1 protocol used here
const (
	apiVersions  = 1000
	getTableInfo = 1007
	getMetadata  = 1012
	produceLog   = 1014
	fetchLog     = 1015
	putKv        = 1016
	lookup       = 1017
	limitScan    = 1033
)

var opt = map[string]string{}
var variant = "default"

func must(err error) {
	if err != nil {
		panic(err)
	}
}
func num(k string, d int64) int64 {
	if v, ok := opt[k]; ok {
		n, err := strconv.ParseInt(v, 10, 64)
		must(err)
		return n
	}
	return d
}
func env(k, d string) string {
	if v := os.Getenv(k); v != "" {
		return v
	}
	return d
}

// ---- protobuf, by hand ----
func uv(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }
func pInt(b []byte, f int, v int64) []byte {
	return uv(uv(b, uint64(f)<<3), uint64(v))
}
func pBytes(b []byte, f int, v []byte) []byte {
	b = uv(uv(b, uint64(f)<<3|2), uint64(len(v)))
	return append(b, v...)
}

// walk calls f for each field of a message; v holds a varint or the bytes.
func walk(b []byte, f func(field int, n uint64, v []byte)) {
	for len(b) > 0 {
		t, k := binary.Uvarint(b)
		b = b[k:]
		n, k := binary.Uvarint(b)
		b = b[k:]
		switch t & 7 {
		case 0:
			f(int(t>>3), n, nil)
		case 2:
			f(int(t>>3), n, b[:n])
			b = b[n:]
		default:
			panic(fmt.Sprint("wire type ", t&7))
		}
	}
}

// ---- frames ----
func frame(dst []byte, api int, id uint32, body []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(8+len(body)))
	dst = binary.BigEndian.AppendUint16(dst, uint16(api))
	dst = binary.BigEndian.AppendUint16(dst, 0)
	dst = binary.BigEndian.AppendUint32(dst, id)
	return append(dst, body...)
}

type conn struct {
	net.Conn
	buf  []byte
	r, w int
}

func dial(addr string) *conn {
	c, err := net.Dial("tcp", addr)
	must(err)
	k := &conn{Conn: c, buf: make([]byte, 1<<20)}
	k.call(frame(nil, apiVersions, 0, pBytes(pBytes(nil, 1, []byte("floor")), 2, []byte("1"))))
	return k
}

// next returns the body of one response; the slice is valid until the following call.
func (c *conn) next() []byte {
	need := 4
	for {
		if c.w-c.r >= 4 {
			need = 4 + int(binary.BigEndian.Uint32(c.buf[c.r:]))
		}
		if c.w-c.r >= need && need > 4 {
			b := c.buf[c.r+4 : c.r+need]
			c.r += need
			if b[0] != 0 {
				panic(fmt.Sprintf("server error type %d: %q", b[0], b[1:]))
			}
			return b[5:]
		}
		if c.r > 0 && (c.r == c.w || len(c.buf)-c.r < need) {
			copy(c.buf, c.buf[c.r:c.w])
			c.w -= c.r
			c.r = 0
		}
		if need > len(c.buf) {
			nb := make([]byte, need*2)
			copy(nb, c.buf[:c.w])
			c.buf = nb
		}
		n, err := c.Read(c.buf[c.w:])
		if err != nil {
			must(err)
		}
		c.w += n
	}
}
func (c *conn) buffered() bool {
	return c.w-c.r >= 4 && c.w-c.r >= 4+int(binary.BigEndian.Uint32(c.buf[c.r:]))
}
func (c *conn) call(req []byte) []byte {
	_, err := c.Write(req)
	must(err)
	return c.next()
}

// window sends reqs (contiguous in buf, ends[i] = end of request i) keeping depth in flight.
func (c *conn) window(buf []byte, ends []int, depth int, check func(body []byte)) {
	sent, got := 0, 0
	start := func(i int) int {
		if i == 0 {
			return 0
		}
		return ends[i-1]
	}
	large := len(ends) > 0 && len(buf)/len(ends) > 64<<10
	if large { // big requests: write from a second goroutine so that reading is never blocked by writing
		slots := make(chan struct{}, depth)
		go func() {
			for i := range ends {
				slots <- struct{}{}
				_, err := c.Write(buf[start(i):ends[i]])
				must(err)
			}
		}()
		for got < len(ends) {
			check(c.next())
			<-slots
			got++
		}
		return
	}
	for got < len(ends) {
		to := min(got+depth, len(ends))
		if to > sent {
			_, err := c.Write(buf[start(sent):ends[to-1]])
			must(err)
			sent = to
		}
		check(c.next())
		got++
		for got < sent && c.buffered() {
			check(c.next())
			got++
		}
	}
}

// ---- data ----
func mix(z uint64) uint64 {
	z += 0x9E3779B97F4A7C15
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}
func key(seed, k, n int64) int64 { return int64(mix(uint64(seed*1_000_003+k)) % uint64(n)) }
func pad(b []byte, p string, i int64) []byte {
	b = append(b, p...)
	at := len(b)
	b = append(b, "000000000"...)
	for k := len(b) - 1; k >= at; k-- {
		b[k] = byte('0' + i%10)
		i /= 10
	}
	return b
}
func keyBytes(id int64) []byte { return uv(nil, uint64(id)) }
func rowBytes(i int64) []byte {
	b := []byte{0} // null bits of four columns
	b = uv(b, uint64(i))
	s := pad(nil, "customer#", i)
	b = append(uv(b, uint64(len(s))), s...)
	b = uv(b, uint64((i*7919)%10_000_000))
	return uv(b, uint64(8035+i%2500))
}

func rotl(x uint32, r int) uint32 { return x<<r | x>>(32-r) }
func bucketOf(k []byte, n int) int {
	h := uint32(42)
	step := func(k1 uint32) {
		k1 = rotl(k1*0xcc9e2d51, 15) * 0x1b873593
		h = rotl(h^k1, 13)*5 + 0xe6546b64
	}
	al := len(k) &^ 3
	for i := 0; i < al; i += 4 {
		step(binary.LittleEndian.Uint32(k[i:]))
	}
	for i := al; i < len(k); i++ {
		step(uint32(int32(int8(k[i]))))
	}
	fm := func(h uint32) uint32 {
		h ^= h >> 16
		h *= 0x85ebca6b
		h ^= h >> 13
		h *= 0xc2b2ae35
		return h ^ h>>16
	}
	h = fm(h ^ uint32(len(k)))
	// second scramble of the 32-bit hash, then non-negative modulus
	c := rotl(h*0xcc9e2d51, 15) * 0x1b873593
	c = rotl(c, 13)*5 + 0xe6546b64
	c = fm(c ^ 4)
	v := int32(c)
	if v < 0 {
		if v == -1<<31 {
			v = 0
		} else {
			v = -v
		}
	}
	return int(v) % n
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func kvBatch(schemaID int, recs []byte, n int) []byte {
	b := make([]byte, 28, 28+len(recs))
	binary.LittleEndian.PutUint32(b, uint32(24+len(recs)))
	binary.LittleEndian.PutUint16(b[9:], uint16(schemaID))
	binary.LittleEndian.PutUint64(b[12:], ^uint64(0))
	binary.LittleEndian.PutUint32(b[20:], ^uint32(0))
	binary.LittleEndian.PutUint32(b[24:], uint32(n))
	b = append(b, recs...)
	binary.LittleEndian.PutUint32(b[5:], crc32.Checksum(b[9:], castagnoli))
	return b
}
func kvRecord(b []byte, id int64) []byte {
	k, v := keyBytes(id), rowBytes(id)
	n := 1 + len(k) + len(v)
	b = binary.LittleEndian.AppendUint32(b, uint32(n))
	b = append(uv(b, uint64(len(k))), k...)
	return append(b, v...)
}

// ---- requests ----
type reqs struct {
	buf  []byte
	ends []int
}

func (r *reqs) add(api int, body []byte) {
	r.buf = frame(r.buf, api, uint32(len(r.ends)+1), body)
	r.ends = append(r.ends, len(r.buf))
}
func lookupBody(tid int64, ids []int64) []byte {
	var per [8][]byte
	for _, id := range ids {
		k := keyBytes(id)
		i := bucketOf(k, 8)
		per[i] = pBytes(per[i], 3, k)
	}
	b := pInt(nil, 1, tid)
	for i, p := range per {
		if p != nil {
			b = pBytes(b, 2, append(pInt(nil, 2, int64(i)), p...))
		}
	}
	return b
}
func putBody(tid int64, schema int, per [8][]byte, cnt [8]int) []byte {
	b := pInt(pInt(pInt(nil, 1, -1), 2, tid), 3, 30000)
	for i, p := range per {
		if p != nil {
			b = pBytes(b, 5, pBytes(pInt(nil, 2, int64(i)), 3, kvBatch(schema, p, cnt[i])))
		}
	}
	return b
}
func tableInfo(c *conn, name string) (id int64, schema int) {
	path := pBytes(pBytes(nil, 1, []byte("bench")), 2, []byte(name))
	walk(c.call(frame(nil, getTableInfo, 1, pBytes(nil, 1, path))), func(f int, n uint64, _ []byte) {
		switch f {
		case 1:
			id = int64(n)
		case 2:
			schema = int(n)
		}
	})
	return
}

// noErr panics on a per-bucket error of a write or lookup response: field 1 buckets, error code at errField.
func noErr(list, errField int) func([]byte) {
	return func(b []byte) {
		walk(b, func(f int, _ uint64, v []byte) {
			if f == list {
				walk(v, func(g int, n uint64, _ []byte) {
					if g == errField && n != 0 {
						panic(fmt.Sprintf("bucket error %d in %q", n, v))
					}
				})
			}
		})
	}
}
func ignore([]byte) {}

// ---- measuring ----
func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
}
func srv() float64 {
	b, err := os.ReadFile("/proc/" + os.Getenv("TS_PID") + "/stat")
	if err != nil {
		return 0
	}
	s := string(b)
	f := strings.Fields(s[strings.LastIndexByte(s, ')')+2:])
	a, _ := strconv.Atoi(f[11])
	c, _ := strconv.Atoi(f[12])
	return float64(a+c) / 100
}

var t0 time.Time
var c0, s0 float64

func begin() { runtime.GC(); c0, s0, t0 = cpu(), srv(), time.Now() }
func end(w string, ops int64, lat []time.Duration, extra string) {
	d := time.Since(t0).Seconds()
	c, s := cpu()-c0, srv()-s0
	fmt.Printf(`{"peer":"floor","w":"%s","variant":"%s","ops":%d,"secs":%.4f,"per_s":%.1f,"cpu_s":%.3f,"cpu_per_m":%.3f,"srv_cpu_s":%.2f`,
		w, variant, ops, d, float64(ops)/d, c, c*1e6/float64(ops), s)
	if lat != nil {
		sort.Slice(lat, func(i, j int) bool { return lat[i] < lat[j] })
		fmt.Printf(`,"p50_us":%.1f,"p99_us":%.1f`, lat[len(lat)/2].Seconds()*1e6, lat[int(float64(len(lat))*.99)].Seconds()*1e6)
	}
	if extra != "" {
		fmt.Print("," + extra)
	}
	fmt.Println("}")
}

func main() {
	w := os.Args[1]
	for _, a := range os.Args[2:] {
		k, v, _ := strings.Cut(a, "=")
		opt[k] = v
	}
	if v := opt["variant"]; v != "" {
		variant = v
	}
	table := opt["table"]
	if table == "" {
		table = "kv"
	}
	n, warm, depth, per := num("n", 0), num("warm", 0), int(num("depth", 1)), num("per", 1)
	coord, tablet := env("BOOT", "127.0.0.1:9123"), env("TABLET", "127.0.0.1:9124")
	if w == "w9" {
		path := pBytes(pBytes(nil, 1, []byte("bench")), 2, []byte(table))
		lat := make([]time.Duration, n)
		begin()
		for i := range lat {
			s := time.Now()
			c := dial(coord)
			tid, _ := tableInfo(c, table)
			c.call(frame(nil, getMetadata, 2, pBytes(nil, 1, path)))
			t := dial(tablet)
			t.call(frame(nil, lookup, 3, lookupBody(tid, []int64{key(9, int64(i), 200_000)})))
			lat[i] = time.Since(s)
			t.Close()
			c.Close()
		}
		first := lat[0]
		end(w, n, lat, fmt.Sprintf(`"first_us":%d`, first.Microseconds()))
		return
	}
	cc := dial(coord)
	tid, schema := tableInfo(cc, table)
	cc.Close()
	c := dial(tablet)
	lookups := func(seed, n int64) (r reqs) {
		for i := int64(0); i < n; i += per {
			ids := make([]int64, 0, per)
			for k := i; k < min(i+per, n); k++ {
				ids = append(ids, key(seed, k, 200_000))
			}
			r.add(lookup, lookupBody(tid, ids))
		}
		return
	}
	puts := func(n int64, id func(int64) int64) (r reqs) {
		for i := int64(0); i < n; i += per {
			var b [8][]byte
			var cnt [8]int
			for k := i; k < min(i+per, n); k++ {
				x := id(k)
				j := bucketOf(keyBytes(x), 8)
				b[j] = kvRecord(b[j], x)
				cnt[j]++
			}
			r.add(putKv, putBody(tid, schema, b, cnt))
		}
		return
	}
	switch w {
	case "w1", "w2", "w3":
		seed := int64(w[1] - '0')
		if w == "w1" {
			r := lookups(7, warm)
			c.window(r.buf, r.ends, 1, ignore)
			r = lookups(1, n)
			lat := make([]time.Duration, n)
			begin()
			p := 0
			for i, e := range r.ends {
				s := time.Now()
				c.call(r.buf[p:e])
				lat[i] = time.Since(s)
				p = e
			}
			end(w, n, lat, "")
			return
		}
		found := 0
		r := lookups(7, warm)
		c.window(r.buf, r.ends, depth, func(b []byte) { // checks that keys and buckets are right
			walk(b, func(f int, _ uint64, v []byte) {
				walk(v, func(g int, _ uint64, x []byte) {
					if g == 5 && len(x) > 10 {
						found++
					}
				})
			})
		})
		r = lookups(seed, n)
		begin()
		c.window(r.buf, r.ends, depth, ignore)
		end(w, n, nil, fmt.Sprintf(`"warm_found":%d`, found))
	case "w4", "w5":
		r := puts(warm, func(i int64) int64 { return 10_000_000 + i%1000 })
		c.window(r.buf, r.ends, depth, noErr(1, 3))
		if w == "w4" {
			r = puts(n, func(i int64) int64 { return i })
		} else {
			r = puts(n, func(i int64) int64 { return key(5, i, 200_000) })
		}
		begin()
		c.window(r.buf, r.ends, depth, noErr(1, 3))
		end(w, n, nil, fmt.Sprintf(`"req_bytes":%d`, len(r.buf)/len(r.ends)))
	case "w6": // batches come from an already loaded table (from=...), re-addressed to this one
		nb := int(num("buckets", 8))
		cc := dial(coord)
		src, _ := tableInfo(cc, opt["from"])
		cc.Close()
		var r reqs
		rows, k := int64(0), 0
		scan(c, src, int(num("from_buckets", 8)), 0, n, 1<<20, func(batch []byte) {
			b := append([]byte(nil), batch...)
			crcAt := 21
			if b[12] == 1 {
				crcAt = 25
			}
			binary.LittleEndian.PutUint64(b[crcAt+4+2+1+4:], ^uint64(0))
			binary.LittleEndian.PutUint32(b[crcAt+4+2+1+4+8:], ^uint32(0))
			binary.LittleEndian.PutUint16(b[crcAt+4:], uint16(schema))
			binary.LittleEndian.PutUint32(b[crcAt:], crc32.Checksum(b[crcAt+4:], castagnoli))
			rows += int64(binary.LittleEndian.Uint32(b[crcAt+4+2+1+4+8+4:]))
			q := pInt(pInt(pInt(nil, 1, -1), 2, tid), 3, 30000)
			r.add(produceLog, pBytes(q, 4, pBytes(pInt(nil, 2, int64(k%nb)), 3, b)))
			k++
		})
		begin()
		c.window(r.buf, r.ends, depth, noErr(1, 3))
		end(w, rows, nil, fmt.Sprintf(`"reqs":%d,"bytes":%d`, len(r.ends), len(r.buf)))
	case "w7":
		nb := int(num("buckets", 8))
		mask := 0
		if opt["proj"] != "" {
			mask = 1<<0 | 1<<2
		}
		pass := func() (rows, bytes int64) {
			scan(c, tid, nb, mask, n, int(num("fetch", 1<<20)), func(b []byte) {
				crcAt := 21
				if b[12] == 1 {
					crcAt = 25
				}
				rows += int64(binary.LittleEndian.Uint32(b[crcAt+23:]))
				bytes += int64(len(b))
			})
			return
		}
		pass()
		begin()
		rows, bytes := pass()
		end(w, rows, nil, fmt.Sprintf(`"bytes":%d`, bytes))
	case "w8":
		q := frame(nil, limitScan, 1, pInt(pInt(pInt(nil, 2, tid), 4, 0), 5, 1000))
		for i := int64(0); i < warm; i++ {
			c.call(q)
		}
		lat := make([]time.Duration, n)
		size := 0
		begin()
		for i := range lat {
			s := time.Now()
			size = len(c.call(q))
			lat[i] = time.Since(s)
		}
		end(w, n, lat, fmt.Sprintf(`"resp_bytes":%d`, size))
	default:
		panic(w)
	}
	_ = io.EOF
}

// scan reads a log table from offset 0 until want rows were seen, all buckets in each fetch, with two
// fetches in flight (even and odd buckets) so that the server never waits for the reader.
func scan(c *conn, tid int64, nb, mask int, want int64, fetch int, onBatch func([]byte)) {
	offs := make([]int64, nb)
	hw := make([]int64, nb)
	for i := range hw {
		hw[i] = 1
	}
	groups := 2
	if nb == 1 {
		groups = 1
	}
	send := func(g int) bool {
		var bs []byte
		for b := g; b < nb; b += groups {
			if offs[b] >= hw[b] {
				continue
			}
			q := pInt(pInt(pInt(nil, 2, int64(b)), 3, offs[b]), 4, int64(fetch))
			bs = pBytes(bs, 4, q)
		}
		if bs == nil {
			return false
		}
		t := pInt(nil, 1, tid)
		if mask != 0 {
			t = pInt(t, 2, 1)
			var cols []byte
			for i := 0; i < 64; i++ {
				if mask>>i&1 == 1 {
					cols = uv(cols, uint64(i))
				}
			}
			t = pBytes(t, 3, cols)
		} else {
			t = pInt(t, 2, 0)
		}
		t = append(t, bs...)
		r := pInt(pInt(nil, 1, -1), 2, 16<<20)
		r = pInt(pInt(pBytes(r, 3, t), 4, 500), 5, 1)
		_, err := c.Write(frame(nil, fetchLog, uint32(g), r))
		must(err)
		return true
	}
	rows := int64(0)
	live := 0
	for g := 0; g < groups; g++ {
		if send(g) {
			live++
		}
	}
	for live > 0 && rows < want {
		body := c.next()
		live--
		g := 0
		walk(body, func(f int, _ uint64, v []byte) {
			if f != 1 {
				return
			}
			walk(v, func(f int, _ uint64, v []byte) {
				if f != 2 {
					return
				}
				b := 0
				walk(v, func(f int, n uint64, v []byte) {
					switch f {
					case 2:
						b = int(n)
						g = b % groups
					case 3:
						if n != 0 {
							panic(fmt.Sprint("fetch error ", n))
						}
					case 5:
						hw[b] = int64(n)
					case 8:
						for len(v) >= 12 {
							size := 12 + int(binary.LittleEndian.Uint32(v[8:]))
							if size > len(v) {
								break
							}
							base := int64(binary.LittleEndian.Uint64(v))
							at := 21 + 4 + 2 + 1
							if v[12] == 1 {
								at += 4
							}
							last := base + int64(binary.LittleEndian.Uint32(v[at:]))
							offs[b] = last + 1
							rows += last + 1 - base
							onBatch(v[:size])
							v = v[size:]
						}
					}
				})
			})
		})
		if send(g) {
			live++
		}
	}
	for ; live > 0; live-- {
		c.next()
	}
}

package ring

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Each of these breaks a server in one way that a client cannot see.

type hook = func(*flusstest.Request) flusstest.Action

// oneIn breaks one in n requests of an API.
func oneIn(n int64, api flusstest.API, broken func(r *flusstest.Request) flusstest.Action) hook {
	var seen atomic.Int64
	return func(r *flusstest.Request) flusstest.Action {
		if r.API != api || seen.Add(1)%n != n-1 {
			return flusstest.Action{}
		}
		return broken(r)
	}
}

// dropsUpserts acknowledges one request of upserts in n and drops it.
func dropsUpserts(n int64) hook {
	return oneIn(n, flusstest.PutKV, func(r *flusstest.Request) flusstest.Action {
		answer := &flusspb.PutKvResponse{}
		for _, b := range r.Buckets() {
			answer.BucketsResp = append(answer.BucketsResp, &flusspb.PbPutKvRespForBucket{BucketId: proto.Int32(int32(b.ID)), LogEndOffset: proto.Int64(1 << 20)})
		}
		return flusstest.Action{Skip: true, Answer: marshal(answer)}
	})
}

// dropsAppends acknowledges one request of appends in n and drops it.
func dropsAppends(n int64) hook {
	return oneIn(n, flusstest.ProduceLog, func(r *flusstest.Request) flusstest.Action {
		answer := &flusspb.ProduceLogResponse{}
		for _, b := range r.Buckets() {
			answer.BucketsResp = append(answer.BucketsResp, &flusspb.PbProduceLogRespForBucket{BucketId: proto.Int32(int32(b.ID)), BaseOffset: proto.Int64(1 << 20)})
		}
		return flusstest.Action{Skip: true, Answer: marshal(answer)}
	})
}

// refusesStored stores one request in n and refuses it for good.
func refusesStored(n int64, api flusstest.API) hook {
	return oneIn(n, api, func(*flusstest.Request) flusstest.Action {
		return flusstest.Action{Code: 48} // AUTHORIZATION_EXCEPTION
	})
}

// endsLogsEarly says that logs end in their middle.
func endsLogsEarly() hook {
	return oneIn(5, flusstest.ListOffsets, func(*flusstest.Request) flusstest.Action {
		return edited(new(flusspb.ListOffsetsResponse), func(a *flusspb.ListOffsetsResponse) {
			for _, b := range a.BucketsResp {
				b.Offset = proto.Int64(b.GetOffset() / 2)
			}
		})
	})
}

// scansNothing leaves the rows out of scans of key tables.
func scansNothing() hook {
	return oneIn(5, flusstest.LimitScan, func(r *flusstest.Request) flusstest.Action {
		return edited(new(flusspb.LimitScanResponse), func(a *flusspb.LimitScanResponse) {
			if !a.GetIsLogTable() {
				a.Records = []byte{5, 0, 0, 0, 0, 0, 0, 0, 0} // length 5, magic 0, no rows
			}
		})
	})
}

// swapsValues answers with the values of another column.
func swapsValues(api flusstest.API) hook {
	return oneIn(10, api, func(*flusstest.Request) flusstest.Action {
		return flusstest.Action{Edit: func(frame []byte) []byte { return bytes.ReplaceAll(frame, []byte("a."), []byte("b.")) }}
	})
}

// forgesLogs answers with other values than those that were written, in batches of which the CRC is right.
func forgesLogs(written, forged string) hook {
	return oneIn(20, flusstest.FetchLog, func(*flusstest.Request) flusstest.Action {
		return edited(new(flusspb.FetchLogResponse), func(a *flusspb.FetchLogResponse) {
			for _, t := range a.TablesResp {
				for _, b := range t.BucketsResp {
					forge(b.Records, []byte(written), []byte(forged))
				}
			}
		})
	})
}

// forge changes values in a log's batches: base offset 8, length 4 of what follows, magic 1, time 8, with magic 1 an epoch 4,
// then the CRC32C of all behind it.
func forge(records, written, forged []byte) {
	for len(records) > 29 {
		size := 12 + int(binary.LittleEndian.Uint32(records[8:]))
		if size > len(records) {
			return
		}
		batch, crcAt := records[:size], 21
		if batch[12] > 0 {
			crcAt = 25
		}
		copy(batch, bytes.ReplaceAll(batch, written, forged))
		binary.LittleEndian.PutUint32(batch[crcAt:], crc32.Checksum(batch[crcAt+4:], crc32.MakeTable(crc32.Castagnoli)))
		records = records[size:]
	}
}

// stale answers every fifth lookup that was asked before with the first answer that was given for it. How often keys come
// together in a request again depends on the machine: one in five is enough of them on any.
func stale() hook {
	first := map[string][]byte{}
	var guard sync.Mutex
	again := 0
	return func(r *flusstest.Request) flusstest.Action {
		if r.API != flusstest.Lookup {
			return flusstest.Action{}
		}
		key := string(r.Body)
		return flusstest.Action{Edit: func(frame []byte) []byte {
			guard.Lock()
			defer guard.Unlock()
			was, ok := first[key]
			if !ok {
				first[key] = slices.Clone(frame[9:])
				return frame
			}
			if again++; again%5 == 0 {
				return withBody(frame, was)
			}
			return frame
		}}
	}
}

func marshal(m proto.Message) []byte {
	b, err := proto.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

// edited edits the message of an answer: its head has 9 bytes.
func edited[M proto.Message](m M, edit func(M)) flusstest.Action {
	return flusstest.Action{Edit: func(frame []byte) []byte {
		m := proto.Clone(m)
		if proto.Unmarshal(frame[9:], m) != nil {
			return frame
		}
		edit(m.(M))
		return withBody(frame, marshal(m))
	}}
}

func withBody(frame, body []byte) []byte {
	out := append(slices.Clone(frame[:9]), body...)
	binary.BigEndian.PutUint32(out, uint32(len(out)-4))
	return out
}

package embedded

import (
	"encoding/binary"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/flusstest"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// hit makes the Action of a fault of a single request. The zero Action: this request cannot be hit so.
func (f *Fault) hit(r *flusstest.Request, servers int) flusstest.Action {
	switch f.Kind {
	case "request lost":
		return flusstest.Drop()
	case "answer lost":
		return flusstest.Lose()
	case "connection closed":
		return flusstest.Hangup()
	case "connection reset":
		return flusstest.Action{Silent: f.performed(), Skip: !f.performed(), Reset: true}
	case "half-closed":
		return flusstest.Action{HalfClose: true}
	case "answer cut":
		return flusstest.Cut(f.At)
	case "answer late":
		return flusstest.Action{Delay: f.For}
	case "request late":
		return flusstest.Action{Wait: after(f.For)}
	case "answers swapped":
		return flusstest.Action{Reorder: true}
	case "answer doubled":
		return edit(func(frame []byte) []byte { return append(slices.Clone(frame), frame...) })
	case "request doubled":
		return flusstest.Action{Twice: true}
	case "answer of unknown id":
		return edit(strayID)
	case "answer beside the point":
		return edit(func(frame []byte) []byte { return append(strayID(frame), frame...) })
	case "answer oversized":
		return edit(func(frame []byte) []byte { return withLength(frame, 1<<30) })
	case "answer of no frame":
		return edit(func(frame []byte) []byte { return withLength(frame, 3) })
	case "refused":
		return flusstest.Refuse(f.Code)
	case "stored and refused":
		return f.refuseStored(r)
	case "batch damaged":
		return f.damage(r)
	default:
		return f.lie(servers)
	}
}

// refuseStored performs a write and, where it was stored, answers a code all the same. A true refusal stays what it is: the
// code can say that the rows are stored.
func (f *Fault) refuseStored(r *flusstest.Request) flusstest.Action {
	code := proto.Int32(int32(f.Code))
	if r.API == flusstest.PutKV {
		return edit(func(frame []byte) []byte {
			return changed(frame, new(flusspb.PutKvResponse), func(a *flusspb.PutKvResponse) {
				for _, b := range a.BucketsResp {
					if b.GetErrorCode() == 0 {
						b.ErrorCode, b.LogEndOffset = code, nil
					}
				}
			})
		})
	}
	return edit(func(frame []byte) []byte {
		return changed(frame, new(flusspb.ProduceLogResponse), func(a *flusspb.ProduceLogResponse) {
			for _, b := range a.BucketsResp {
				if b.GetErrorCode() == 0 && b.GetBaseOffset() >= 0 {
					b.ErrorCode, b.BaseOffset = code, nil
				}
			}
		})
	})
}

// performed is for faults that come in two forms.
func (f *Fault) performed() bool { return f.API != flusstest.Lookup }

func edit(change func([]byte) []byte) flusstest.Action { return flusstest.Action{Edit: change} }

// after is closed after a time.
func after(d time.Duration) <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(d, func() { close(c) })
	return c
}

// The head of an answer: length 4, type 1, request id 4.
const (
	lengthSize = 4
	idAt       = 5
	bodyAt     = 9
)

func withLength(frame []byte, n uint32) []byte {
	frame = slices.Clone(frame)
	binary.BigEndian.PutUint32(frame, n)
	return frame
}

func strayID(frame []byte) []byte {
	frame = slices.Clone(frame)
	frame[idAt] ^= 0x40
	return frame
}

// crcFrom is where the bytes of a log batch begin that its CRC covers.
const crcFrom = 29

// damage inverts a byte of a log batch that the CRC covers. Batches of projected columns have a CRC that is not theirs.
func (f *Fault) damage(r *flusstest.Request) flusstest.Action {
	var q flusspb.FetchLogRequest
	if proto.Unmarshal(r.Body, &q) != nil {
		return flusstest.Action{}
	}
	for _, t := range q.TablesReq {
		if t.GetProjectionPushdownEnabled() {
			return flusstest.Action{}
		}
	}
	return edit(func(frame []byte) []byte {
		return changed(frame, new(flusspb.FetchLogResponse), func(a *flusspb.FetchLogResponse) {
			for _, t := range a.TablesResp {
				for _, b := range t.BucketsResp {
					if n := len(b.Records); n > crcFrom {
						b.Records[crcFrom+f.At%(firstBatch(b.Records)-crcFrom)] ^= 0x10
						return
					}
				}
			}
		})
	})
}

// firstBatch is the size of the first batch: base offset 8, length 4 of what follows.
func firstBatch(records []byte) int {
	return min(len(records), 12+int(binary.LittleEndian.Uint32(records[8:])))
}

// changed changes the message in an answer.
func changed[M proto.Message](frame []byte, m M, change func(M)) []byte {
	const success = 0
	if frame[lengthSize] != success || proto.Unmarshal(frame[bodyAt:], m) != nil {
		return frame
	}
	change(m)
	out, err := proto.MarshalOptions{AllowPartial: true}.MarshalAppend(slices.Clone(frame[:bodyAt]), m)
	if err != nil {
		return frame
	}
	return withLength(out, uint32(len(out)-lengthSize))
}

// lie makes metadata that is not true.
func (f *Fault) lie(servers int) flusstest.Action {
	return edit(func(frame []byte) []byte {
		return changed(frame, new(flusspb.MetadataResponse), func(a *flusspb.MetadataResponse) { f.lieIn(a, int32(servers)) })
	})
}

func (f *Fault) lieIn(a *flusspb.MetadataResponse, servers int32) {
	switch f.Kind {
	case "metadata of swapped addresses":
		for i := 1; i < len(a.TabletServers); i++ {
			x, y := a.TabletServers[i-1], a.TabletServers[i]
			x.Port, y.Port = y.Port, x.Port
		}
		return
	case "metadata without the table":
		a.TableMetadata = nil
		return
	}
	for _, t := range a.TableMetadata {
		for _, b := range t.BucketMetadata {
			switch f.Kind {
			case "metadata of a wrong leader":
				b.LeaderId = proto.Int32((b.GetLeaderId() + 1) % servers)
			case "metadata without leaders":
				b.LeaderId = nil
			case "metadata of a server that is not there":
				b.LeaderId = proto.Int32(servers + 7)
			}
		}
	}
}

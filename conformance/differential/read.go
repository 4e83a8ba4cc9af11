package differential

import (
	"math"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// read asks for rows, offsets or numbers of one bucket or several.
func (w *world) read(t *table) error {
	at := w.place(t)
	if at == nil {
		return w.createPartition(t)
	}
	if !t.latest.IsKeyTable() {
		return pick(w.dice, w.fetch, w.fetch, w.listOffsets, w.stats, w.limitScan)(t, at)
	}
	return pick(w.dice, w.fetch, w.fetch, w.lookup, w.lookup, w.lookup, w.insertLookup, w.prefixLookup, w.listOffsets, w.stats, w.limitScan)(t, at)
}

func (w *world) lookup(t *table, at *place) error {
	request := &flusspb.LookupRequest{TableId: &t.symbol}
	for range 1 + w.IntN(2) {
		b := &flusspb.PbLookupReqForBucket{PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket)}
		for range w.IntN(6) {
			b.Keys = append(b.Keys, w.key(t))
		}
		request.BucketsReq = append(request.BucketsReq, b)
		if at = w.place(t); named(request.BucketsReq, at) {
			break
		}
	}
	return w.call(w.tablet(t, wire.APILookup, request))
}

func named(list []*flusspb.PbLookupReqForBucket, at *place) bool {
	for _, b := range list {
		if b.GetBucketId() == at.bucket && b.PartitionId == at.partition.id() {
			return true
		}
	}
	return false
}

func (w *world) insertLookup(t *table, at *place) error {
	if at.partition.symbol >= 0 { // the real server reads on behind the key: see the documentation of flusstest
		return w.lookup(t, at)
	}
	if at.end == 0 && !w.hazards {
		if done, err := w.firstRow(t, at); err != nil || !done {
			return err
		}
	}
	request := &flusspb.LookupRequest{
		TableId: &t.symbol, InsertIfNotExists: proto.Bool(true), Acks: proto.Int32(-1), TimeoutMs: proto.Int32(10_000),
		BucketsReq: []*flusspb.PbLookupReqForBucket{{PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket)}}}
	for range 1 + w.IntN(4) {
		request.BucketsReq[0].Keys = append(request.BucketsReq[0].Keys, w.key(t))
	}
	if w.one(10) {
		request.Acks, request.TimeoutMs = nil, nil
	}
	return w.call(w.tablet(t, wire.APILookup, request))
}

func (w *world) prefixLookup(t *table, at *place) error {
	b := &flusspb.PbPrefixLookupReqForBucket{PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket)}
	for range 1 + w.IntN(3) {
		key := w.key(t)
		b.Keys = append(b.Keys, key[:w.IntN(len(key)+1)])
	}
	return w.call(w.tablet(t, wire.APIPrefixLookup, &flusspb.PrefixLookupRequest{
		TableId: &t.symbol, BucketsReq: []*flusspb.PbPrefixLookupReqForBucket{b}}))
}

func (w *world) limitScan(t *table, at *place) error {
	limit := pick(w.dice, int32(math.MaxInt32), 3, 1, 0, -1, 100)
	return w.call(w.tablet(t, wire.APILimitScan, &flusspb.LimitScanRequest{
		TableId: &t.symbol, PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket), Limit: &limit}))
}

func (w *world) stats(t *table, at *place) error {
	request := &flusspb.GetTableStatsRequest{TableId: &t.symbol}
	for _, at := range at.partition.places {
		request.BucketsReq = append(request.BucketsReq, &flusspb.PbTableStatsReqForBucket{
			PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket)})
	}
	return w.call(w.tablet(t, wire.APIGetTableStats, request))
}

// listOffsets asks by kind and by times that are long past or still to come: batches have other times on either server.
func (w *world) listOffsets(t *table, at *place) error {
	request := &flusspb.ListOffsetsRequest{
		FollowerServerId: proto.Int32(-1), OffsetType: proto.Int32(pick(w.dice, int32(0), 1, 1, 2, 2, 4, -1)),
		TableId: &t.symbol, PartitionId: at.partition.id()}
	for _, at := range at.partition.places {
		request.BucketId = append(request.BucketId, at.bucket)
	}
	if request.GetOffsetType() == 2 && !w.one(10) {
		request.StartTimestamp = proto.Int64(pick(w.dice, int64(0), -1, 1_500_000_000_000, math.MaxInt64, time.Now().Add(24*time.Hour).UnixMilli()))
	}
	return w.call(w.tablet(t, wire.APIListOffsets, request))
}

// Limits of a fetch, in bytes.
const (
	allBytes = 16 << 20
	oneBatch = 1 // the first batch comes whole
)

func (w *world) fetch(t *table, at *place) error {
	offset := int64(-2)
	switch w.IntN(8) {
	case 0:
		offset = pick(w.dice, int64(-1), -3, at.end, at.end+1, at.end+100)
	case 1, 2, 3:
		offset = w.Int64N(at.end + 1)
	case 4:
		offset = 0
	}
	limit := int32(allBytes)
	if w.one(3) {
		limit = oneBatch
		if !t.latest.IsKeyTable() {
			limit = pick(w.dice, int32(oneBatch), 0, 200, 1000, 5000)
		}
	}
	request := &flusspb.FetchLogRequest{FollowerServerId: proto.Int32(-1), MaxBytes: proto.Int32(allBytes)}
	if w.one(6) {
		request.MinBytes, request.MaxWaitMs = proto.Int32(pick(w.dice, int32(1), 0, 100)), proto.Int32(20)
	}
	table := &flusspb.PbFetchLogReqForTable{TableId: &t.symbol, ProjectionPushdownEnabled: proto.Bool(false)}
	step := w.tablet(t, wire.APIFetchLog, request)
	if w.one(3) {
		table.ProjectionPushdownEnabled = proto.Bool(true)
		table.ProjectedFields = w.projection(len(t.latest.Schema.Columns))
		step.projection = table.ProjectedFields
		if limit != allBytes { // what fits depends on how a server packs
			limit = oneBatch
		}
	}
	step.first = limit == oneBatch && (step.projection != nil || t.ownBytes())
	table.BucketsReq = []*flusspb.PbFetchLogReqForBucket{{
		PartitionId: at.partition.id(), BucketId: proto.Int32(at.bucket), FetchOffset: &offset, MaxFetchBytes: &limit}}
	if other := w.place(t); w.one(6) && other != at && limit == allBytes {
		table.BucketsReq = append(table.BucketsReq, &flusspb.PbFetchLogReqForBucket{
			PartitionId: other.partition.id(), BucketId: proto.Int32(other.bucket), FetchOffset: proto.Int64(0), MaxFetchBytes: &limit})
	}
	request.TablesReq = []*flusspb.PbFetchLogReqForTable{table}
	return w.call(step)
}

// projection is mostly ascending and within the columns.
func (w *world) projection(columns int) []int32 {
	list := []int32{}
	for i := range columns {
		if w.one(2) {
			list = append(list, int32(i))
		}
	}
	switch {
	case w.one(12):
		list = append(list, pick(w.dice, int32(0), int32(columns), -1, 99))
	case w.one(20):
		return []int32{}
	case len(list) == 0:
		list = append(list, int32(w.IntN(columns)))
	}
	return list
}

// look compares everything that is in a table: the log, the rows and their number.
func (w *world) look(t *table) error {
	for _, p := range t.partitions {
		for _, at := range p.places {
			limit := int32(allBytes)
			err := w.call(w.tablet(t, wire.APIFetchLog, &flusspb.FetchLogRequest{
				FollowerServerId: proto.Int32(-1), MaxBytes: &limit, TablesReq: []*flusspb.PbFetchLogReqForTable{{
					TableId: &t.symbol, ProjectionPushdownEnabled: proto.Bool(false), BucketsReq: []*flusspb.PbFetchLogReqForBucket{{
						PartitionId: p.id(), BucketId: proto.Int32(at.bucket), FetchOffset: proto.Int64(-2), MaxFetchBytes: &limit}}}}}))
			if err != nil {
				return err
			}
			if err := w.call(w.tablet(t, wire.APILimitScan, &flusspb.LimitScanRequest{
				TableId: &t.symbol, PartitionId: p.id(), BucketId: proto.Int32(at.bucket), Limit: proto.Int32(math.MaxInt32)})); err != nil {
				return err
			}
		}
		if err := w.stats(t, p.places[0]); err != nil {
			return err
		}
	}
	return nil
}

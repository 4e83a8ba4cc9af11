package fluss

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/wire"
)

// discovery looks for partitions that are made while a scan follows a log, and has the scan read them from their first
// offset on: they are newer than the statement, whatever it began with.
type discovery struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// discover starts looking. Partitions in names are read already.
func (s *selection) discover(scanner *route.Scanner, names *partitionNames) *discovery {
	look := *s // of the rows, which others use
	ctx, cancel := context.WithCancel(s.ctx)
	look.ctx = ctx
	d := &discovery{cancel: cancel, done: make(chan struct{})}
	go func() { // stopped and waited for by d.stop
		defer close(d.done)
		tick := time.NewTicker(s.Log.Discovery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if err := look.newPartitions(scanner, names); ctx.Err() == nil && hopeless(err) {
				scanner.Fail(err)
				return
			}
		}
	}()
	return d
}

func (d *discovery) stop() {
	d.cancel()
	<-d.done
}

// hopeless reports whether looking again is of no use: the table is gone, or the pool closed. Any other error may be gone
// the next time.
func hopeless(err error) bool {
	if _, changed := errors.AsType[*route.TableChangedError](err); changed || errors.Is(err, route.ErrClosed) {
		return true
	}
	refusal, ok := errors.AsType[*wire.ServerError](err)
	return ok && (refusal.Code == wire.CodeTableNotExist || refusal.Code == wire.CodeDatabaseNotExist)
}

// newPartitions adds the partitions that are not in names to the scan.
func (s *selection) newPartitions(scanner *route.Scanner, names *partitionNames) error {
	ids, byID, err := s.partitions()
	if err != nil {
		return err
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { return names.text(id) != nil })
	if len(ids) == 0 {
		return nil
	}
	numbers, err := s.bucketNumbers()
	if err != nil {
		return err
	}
	_, until, err := s.times()
	if err != nil {
		return err
	}
	var ranges []route.ScanRange
	for _, id := range ids {
		names.add(id, byID[id])
		for _, n := range numbers {
			ranges = append(ranges, endAt(route.ScanRange{Bucket: catalog.Bucket{TableID: s.Table.ID, PartitionID: id, ID: n}, End: -1}, until))
		}
	}
	return scanner.Add(ranges)
}

// partitionNames are the names of the partitions that a scan reads, by id.
type partitionNames struct {
	mu   sync.Mutex
	byID map[int64][]byte
}

func newPartitionNames(byID map[int64]string) *partitionNames {
	n := &partitionNames{byID: map[int64][]byte{}}
	for id, name := range byID {
		n.byID[id] = []byte(name)
	}
	return n
}

func (n *partitionNames) add(id int64, name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.byID[id] = []byte(name)
}

// text is the value of _partition, nil where there is no such partition.
func (n *partitionNames) text(id int64) []byte {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.byID[id]
}

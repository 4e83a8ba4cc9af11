package fluss

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/record"
	"github.com/gofluss/fluss/internal/route"
	"github.com/gofluss/fluss/internal/row"
)

// A batch of one bucket is written as its changes: "i1 b1 a2" inserts 1 and updates it to 2.
var changeLetters = map[byte]record.ChangeType{'+': record.Append, 'i': record.Insert, 'b': record.UpdateBefore, 'a': record.UpdateAfter, 'd': record.Delete}

// The server writes both records of an update into one batch. Were they apart, in whatever way, no change would be lost or
// made up.
func TestBinlogHalves(t *testing.T) {
	for _, c := range []struct {
		name    string
		batches string // "bucket:changes", in the order in which they come
		from    int64  // offsets wanted of each bucket
		to      int64
		want    string // "offset before>after", or what the error says
		fails   bool
	}{
		{"together", "0:i1 b1 a2 d2", 0, 100, "0 ->1, 1 1>2, 3 2>-", false},
		{"in two batches", "0:i1 b1|0:a2 d2", 0, 100, "0 ->1, 1 1>2, 3 2>-", false},
		{"in two batches, another bucket between", "0:b1|1:i7 b7|0:a2|1:a8", 0, 100, "0 ->7, 0 1>2, 1 7>8", false},
		{"begun before the start", "0:b1 a2 i3", 1, 100, "2 ->3", false},
		{"begun before the start in another batch", "0:b1|0:a2 i3", 1, 100, "2 ->3", false},
		{"ended behind the end", "0:i1 b1 a2 i4", 0, 2, "0 ->1, 1 1>2", false},
		{"begun behind the end", "0:i1 b1 a2 i4", 0, 1, "0 ->1", false},
		{"first half alone", "0:i1 b1 i2", 0, 100, "offset 1: an update_before without", true},
		{"first half alone in its batch", "0:i1 b1|0:i2", 0, 100, "offset 1: an update_before without", true},
		{"first half twice", "0:b1|0:b1 a2", 0, 100, "offset 0: an update_before without", true},
		{"second half alone", "0:i1 a2", 0, 100, "offset 1: an update_after without", true},
		{"second half of another bucket", "0:b1|1:a2", 0, 100, "offset 0: an update_after without", true},
		{"first half at the end", "0:i1 b1", 0, 100, "offset 1: the log ends behind", true},
		{"a record of a log table", "0:i1 +2", 0, 100, "offset 1: a record of type append", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := playBinlog(t, c.batches, c.from, c.to)
			if !c.fails {
				if err != nil || got != c.want {
					t.Errorf("%s: got %q, %v, want %q", c.batches, got, err, c.want)
				}
				return
			}
			if damaged, ok := errors.AsType[*route.PoisonError](err); !ok || !strings.Contains(damaged.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.batches, err, c.want)
			}
		})
	}
}

// playBinlog puts batches through a binlogSource as a scan's reader would.
func playBinlog(t *testing.T, batches string, from, to int64) (string, error) {
	t.Helper()
	d := catalog.Descriptor{Schema: &catalog.Schema{ID: 1, Columns: []catalog.Column{{Name: "n", ID: 0, Type: catalog.Type{Kind: catalog.Int, NotNull: true}}}, PrimaryKey: []string{"n"}}, BucketCount: 2}
	table, err := catalog.NewTable(catalog.TablePath{Database: "d", Table: "t"}, 1, d)
	if err != nil {
		t.Fatal(err)
	}
	stmt, err := dialect.Parse("SELECT * FROM t$binlog", dialect.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Compile(stmt, table, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &selection{Select: p.(*plan.Select)}
	l := newBinlogSource(&logSource{s: s, eager: s.Columns})
	v := make([]row.Datum, s.Width())
	l.images = s.Images(v)
	var out []string
	next := map[int32]int64{}
	for text := range strings.SplitSeq(batches, "|") {
		l.now = binlogBatch(t, table, text, next)
		l.now.chunk.Start, l.now.chunk.End = max(from, l.now.head.BaseOffset), to
		for l.at = 0; l.at < l.now.rows.Len(); {
			i := l.at
			l.at++
			ok, err := l.change(v, i)
			if err != nil {
				return "", err
			}
			if ok {
				out = append(out, printBinlog(s, v))
			}
		}
	}
	return strings.Join(out, ", "), l.unfinished()
}

func binlogBatch(t *testing.T, table *catalog.Table, text string, next map[int32]int64) *logBatch {
	t.Helper()
	e, err := record.NewLogEncoder(table)
	if err != nil {
		t.Fatal(err)
	}
	bucket := int32(text[0] - '0')
	for change := range strings.FieldsSeq(text[2:]) {
		if err := e.AppendChange(changeLetters[change[0]], []row.Datum{{I: int64(change[1] - '0')}}); err != nil {
			t.Fatal(err)
		}
	}
	b := &logBatch{chunk: route.Chunk{Bucket: catalog.Bucket{TableID: 1, PartitionID: catalog.NoPartition, ID: bucket}}}
	bytes := e.Finish(nil, record.LogHeader{WriterID: -1, Sequence: -1, BaseOffset: next[bucket]})
	if b.head, _, err = record.NextLogBatch(bytes); err != nil {
		t.Fatal(err)
	}
	next[bucket] = b.head.NextOffset()
	d, err := record.NewLogDecoder(table, table.Schema, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b.rows, err = d.Decode(&b.head); err != nil {
		t.Fatal(err)
	}
	b.decoder = &logDecoder{LogDecoder: d, from: []int{0}}
	return b
}

// printBinlog prints a row of *.
func printBinlog(s *selection, v []row.Datum) string {
	image := func(i int) string {
		if d := v[s.Out[i].Column]; !d.Null {
			return fmt.Sprint(d.L[0].I)
		}
		return "-"
	}
	return fmt.Sprintf("%d %s>%s", v[s.Out[1].Column].I, image(3), image(4))
}

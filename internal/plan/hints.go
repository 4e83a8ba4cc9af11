package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/row"
)

// StartKind says where a log scan begins.
type StartKind uint8

// The places where a scan can begin.
const (
	FromEarliest  StartKind = iota
	FromLatest              // the end as seen when the query starts
	FromOffset              // Start.Src
	FromTimestamp           // Start.Millis or Start.Src
	FromLast                // Start.Src offsets before the end
)

// Start is where a log scan begins in every bucket.
type Start struct {
	Kind   StartKind
	Src    Source // a BIGINT; for FromTimestamp a TIMESTAMP_LTZ(3)
	Millis int64  // FromTimestamp of scan.startup.timestamp: milliseconds since the epoch
	fixed  bool   // Millis is set
}

// MillisOf returns the timestamp of a FromTimestamp start.
func (s *Start) MillisOf(bound row.Datum) int64 {
	if s.fixed {
		return s.Millis
	}
	return bound.I
}

// BucketOffsets is one part of OFFSETS('b:from-to,...'). To is exclusive, -1 when it was left out.
type BucketOffsets struct {
	Bucket   int32
	From, To int64
}

// hints are the hints of one statement, checked.
type hints struct {
	start       Start
	startSet    bool
	stop        *Source
	buckets     []int32
	offsets     []BucketOffsets
	follow      bool
	fullScan    bool
	exact       bool
	keepMissing bool
	blind       bool
	ifNotExists bool
	overwrite   bool
	timeout     time.Duration
	discovery   time.Duration // 0: not given, -1: never
	idle        []string      // options that change nothing here
}

// readHints checks the hints against the names that the kind of statement allows.
func readHints(list []dialect.Hint, verb string, allowed string, o *row.BindOptions) (*hints, error) {
	h := &hints{}
	for i := range list {
		hint := &list[i]
		if !strings.Contains(" "+allowed+" ", " "+hint.Name+" ") {
			return nil, &dialect.UnsupportedError{Feature: "the hint " + hint.Name + " in " + verb, Reason: verb + " takes " + strings.ReplaceAll(allowed, " ", ", ")}
		}
		if err := h.read(hint, o); err != nil {
			return nil, fmt.Errorf("hint %s: %w", hint.Name, err)
		}
	}
	return h, nil
}

func (h *hints) read(hint *dialect.Hint, o *row.BindOptions) error {
	switch hint.Name {
	case "FOLLOW":
		h.follow = true
	case "FULL_SCAN":
		h.fullScan = true
	case "EXACT":
		h.exact = true
	case "KEEP_MISSING":
		h.keepMissing = true
	case "BLIND":
		h.blind = true
	case "INSERT_IF_NOT_EXISTS":
		h.ifNotExists = true
	case "OPTIONS":
		return h.options(hint.Options, o)
	}
	switch hint.Name {
	case "BUCKET":
		return h.bucket(hint.Args)
	case "OFFSET", "STOP_OFFSET", "LAST", "OFFSETS", "MERGE_MODE", "TIMEOUT":
		if len(hint.Args) != 1 {
			return fmt.Errorf("it takes one argument")
		}
		return h.readOne(hint.Name, &hint.Args[0], o)
	}
	if len(hint.Args) > 0 {
		return fmt.Errorf("it takes no argument")
	}
	return nil
}

func (h *hints) readOne(name string, arg *dialect.Operand, o *row.BindOptions) error {
	switch name {
	case "OFFSET":
		return h.offset(arg, o)
	case "STOP_OFFSET":
		src, err := offsetSource(arg, o)
		h.stop = &src
		return err
	case "LAST":
		src, err := offsetSource(arg, o)
		return h.setStart(Start{Kind: FromLast, Src: src}, err)
	case "OFFSETS":
		return h.bucketOffsets(arg.Text)
	case "MERGE_MODE":
		if !strings.EqualFold(arg.Text, "OVERWRITE") && !strings.EqualFold(arg.Text, "DEFAULT") {
			return fmt.Errorf("the modes are 'DEFAULT' and 'OVERWRITE', got %q", arg.Text)
		}
		h.overwrite = strings.EqualFold(arg.Text, "OVERWRITE")
	case "TIMEOUT":
		return h.setTimeout(arg.Text)
	}
	return nil
}

func (h *hints) setTimeout(text string) error {
	d, err := duration(text)
	if err != nil || d <= 0 {
		return fmt.Errorf("%q is not a duration such as '5s' or '1 min'", text)
	}
	h.timeout = d
	return nil
}

// flinkUnits are the units of Flink's durations that Go spells otherwise.
var flinkUnits = map[string]time.Duration{
	"min": time.Minute, "minute": time.Minute, "minutes": time.Minute, "sec": time.Second, "second": time.Second, "seconds": time.Second,
	"hour": time.Hour, "hours": time.Hour, "d": 24 * time.Hour, "day": 24 * time.Hour, "days": 24 * time.Hour,
}

// duration reads a duration as Go or as Flink writes it.
func duration(text string) (time.Duration, error) {
	text = strings.ReplaceAll(text, " ", "")
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	if unit, ok := flinkUnits[text[len(digits):]]; ok {
		n, err := strconv.ParseInt(digits, 10, 32)
		return time.Duration(n) * unit, err
	}
	return time.ParseDuration(text)
}

func (h *hints) bucket(args []dialect.Operand) error {
	if len(args) == 0 {
		return fmt.Errorf("it needs bucket numbers, as in BUCKET(0,1)")
	}
	for i := range args {
		n, err := strconv.ParseInt(args[i].Text, 10, 32)
		if args[i].Kind != dialect.Number || err != nil || n < 0 {
			return fmt.Errorf("%q is not a bucket number", args[i].Text)
		}
		h.buckets = append(h.buckets, int32(n))
	}
	return nil
}

// offset reads OFFSET('earliest'), OFFSET('latest'), OFFSET(n) and OFFSET(TIMESTAMP '...').
func (h *hints) offset(arg *dialect.Operand, o *row.BindOptions) error {
	switch {
	case arg.Kind == dialect.String && strings.EqualFold(arg.Text, "earliest"):
		return h.setStart(Start{Kind: FromEarliest}, nil)
	case arg.Kind == dialect.String && strings.EqualFold(arg.Text, "latest"):
		return h.setStart(Start{Kind: FromLatest}, nil)
	case arg.Kind == dialect.TimestampLit:
		src, err := newSource(arg, &pseudoColumns[pseudoCommitTimestamp].Type, o)
		return h.setStart(Start{Kind: FromTimestamp, Src: src}, err)
	case arg.Kind == dialect.Number, arg.Kind == dialect.Param:
		src, err := offsetSource(arg, o)
		return h.setStart(Start{Kind: FromOffset, Src: src}, err)
	}
	return fmt.Errorf("it takes 'earliest', 'latest', a number or TIMESTAMP '...', got %q", arg.Text)
}

func (h *hints) setStart(s Start, err error) error {
	if err == nil && h.startSet {
		err = fmt.Errorf("the start of the scan is given twice")
	}
	h.start, h.startSet = s, true
	return err
}

func offsetSource(arg *dialect.Operand, o *row.BindOptions) (Source, error) {
	src, err := newSource(arg, &bigint, o)
	if err == nil && src.Param < 0 && src.Lit.I < 0 {
		err = fmt.Errorf("offsets start at 0, got %d", src.Lit.I)
	}
	return src, err
}

// bucketOffsets reads 'b:from-to,b:from-,...'.
func (h *hints) bucketOffsets(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		bucket, span, ok := strings.Cut(strings.TrimSpace(part), ":")
		from, to, ok2 := strings.Cut(span, "-")
		b, err1 := strconv.ParseInt(bucket, 10, 32)
		f, err2 := strconv.ParseInt(from, 10, 64)
		t, err3 := int64(-1), error(nil)
		if to != "" {
			t, err3 = strconv.ParseInt(to, 10, 64)
		}
		if !ok || !ok2 || err1 != nil || err2 != nil || err3 != nil || b < 0 || f < 0 {
			return fmt.Errorf("%q is not of the form bucket:from-to", part)
		}
		if slices.ContainsFunc(h.offsets, func(o BucketOffsets) bool { return o.Bucket == int32(b) }) {
			return fmt.Errorf("bucket %d is named twice", b)
		}
		h.offsets = append(h.offsets, BucketOffsets{int32(b), f, t})
	}
	return nil
}

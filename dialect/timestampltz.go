package dialect

import (
	"math"
	"strconv"
	"time"
)

// timestampLTZ reads Flink's TO_TIMESTAMP_LTZ(number, precision) of two literals, seconds or milliseconds since the epoch,
// as the TIMESTAMP literal that it stands for, in UTC. It returns nil for anything else.
func timestampLTZ(f *Func) Expr {
	if f.Name != "TO_TIMESTAMP_LTZ" || len(f.Args) != 2 || f.Distinct {
		return nil
	}
	var args [2]int64
	for i, e := range f.Args {
		o, ok := e.(*Operand)
		if !ok || o.Kind != Number {
			return nil
		}
		var err error
		if args[i], err = strconv.ParseInt(o.Text, 10, 64); err != nil {
			return nil
		}
	}
	n, precision := args[0], args[1]
	switch {
	case precision == 0 && n > math.MinInt64/1000 && n < math.MaxInt64/1000:
		n *= 1000
	case precision != 3:
		return nil
	}
	at := time.UnixMilli(n).UTC()
	if y := at.Year(); y < 1 || y > 9999 {
		return nil
	}
	return &Operand{Kind: TimestampLit, Text: at.Format("2006-01-02 15:04:05.000Z"), Pos: f.Pos}
}

package differential

import (
	"strings"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// allowance says why a difference is all right, "" when it is none that is known. Each is told of in the documentation
// of package flusstest.
func allowance(s *step, d difference) string {
	for _, a := range allowed {
		if a.is(s, d) {
			return a.why
		}
	}
	return ""
}

// allowed are the known differences.
var allowed = []struct {
	why string
	is  func(s *step, d difference) bool
}{
	{"texts about a descriptor's JSON differ", func(s *step, d difference) bool {
		return s.api == wire.APICreateTable && d.path == "text" && strings.HasPrefix(d.embedded, "Failed to parse table descriptor")
	}},
	{"the real server takes a snapshot of its key tables now and then", func(s *step, d difference) bool {
		return s.api == wire.APIGetLatestKVSnapshots && strings.HasPrefix(d.path, "latest_snapshots[") && d.embedded == "absent"
	}},
	{"a projected batch that is larger than the stored one does not fit a limit below its size", func(s *step, d difference) bool {
		return s.api == wire.APIFetchLog && s.projection != nil && strings.HasSuffix(d.path, ".records") && d.real == "0 bytes" &&
			s.request.(*flusspb.FetchLogRequest).TablesReq[0].BucketsReq[0].GetMaxFetchBytes() == oneBatch
	}},
}

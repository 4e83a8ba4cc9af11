package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/row"
)

// idleOptions are options of Flink's connector that say how its client works and never what a statement answers: they are
// taken and have no effect, and EXPLAIN says so. Their names are checked, their values are not.
// Source: FlinkConnectorOptions, ConfigOptions (Java, v0.9.1-incubating).
var idleOptions = []string{
	"client.connect-timeout", "client.lookup.batch-timeout", "client.lookup.max-batch-size", "client.lookup.max-inflight-requests",
	"client.lookup.max-retries", "client.lookup.queue-size", "client.metrics.enabled", "client.remote-file.download-thread-num",
	"client.scanner.io.tmpdir", "client.scanner.log.check-crc", "client.scanner.log.fetch.max-bytes",
	"client.scanner.log.fetch.max-bytes-for-bucket", "client.scanner.log.fetch.min-bytes", "client.scanner.log.fetch.wait-max-time",
	"client.scanner.log.max-poll-records", "client.scanner.remote-log.prefetch-num", "client.writer.batch-size",
	"client.writer.batch-timeout", "client.writer.buffer.memory-size", "client.writer.buffer.page-size",
	"client.writer.buffer.per-request-memory-size", "client.writer.buffer.wait-timeout", "client.writer.dynamic-batch-size.enabled",
	"client.writer.max-inflight-requests-per-bucket", "client.writer.request-max-size", "client.writer.retries", "lookup.async",
	"lookup.max-retries", "scan.kv.snapshot.lease.duration", "scan.kv.snapshot.lease.id",
	"sink.bucket-shuffle", "sink.distribution-mode", "sink.ignore-delete",
}

// otherOptions are options that would change what a statement does, by value: "" stands for any. The text says what to do
// instead.
var otherOptions = map[string]string{
	"client.writer.acks":                             "set acks in the DSN",
	"client.writer.enable-idempotence":               "writes are always idempotent; leave it out",
	"client.writer.bucket.no-key-assigner":           "rows of a statement without a bucket key go to one bucket; leave it out",
	"client.writer.dynamic-create-partition.enabled": "set dynamic_partitions in the DSN",
	"client.id":                   "set client in the DSN",
	"bootstrap.servers":           "name the servers in the DSN",
	"lookup.cache":                "nothing is cached; leave it out",
	"lookup.insert-if-not-exists": "INSERT the key, then look it up",
}

// harmless are values of otherOptions that say what is done anyway.
var harmless = map[string][]string{
	"client.writer.enable-idempotence": {"true"}, "lookup.cache": {"none"}, "lookup.insert-if-not-exists": {"false"},
}

// options reads Flink's OPTIONS('key'='value', ...).
func (h *hints) options(list []dialect.Option, o *row.BindOptions) error {
	var mode, stamp string
	for _, opt := range list {
		switch opt.Key {
		case "scan.startup.mode":
			mode = opt.Value
		case "scan.startup.timestamp":
			stamp = opt.Value
		case "client.request-timeout", "client.scanner.timeout":
			if err := h.setTimeout(opt.Value); err != nil {
				return err
			}
		case "scan.partition.discovery.interval":
			d, err := duration(opt.Value)
			if err != nil {
				return fmt.Errorf("%s: %q is not a duration such as '5s' or '1 min'", opt.Key, opt.Value)
			}
			if h.discovery = d; d <= 0 {
				h.discovery = -1
			}
		default:
			if err := h.otherOption(&opt); err != nil {
				return err
			}
		}
	}
	return h.startup(mode, stamp, o)
}

func (h *hints) otherOption(opt *dialect.Option) error {
	instead, known := otherOptions[opt.Key]
	switch {
	case slices.Contains(harmless[opt.Key], strings.ToLower(opt.Value)), slices.Contains(idleOptions, opt.Key):
		h.idle = append(h.idle, opt.Key)
		return nil
	case known:
		return &dialect.UnsupportedError{Feature: "the option '" + opt.Key + "' = '" + opt.Value + "'", Hint: instead}
	}
	return &dialect.UnsupportedError{Feature: "the option " + opt.Key, Reason: "scan.startup.mode, scan.startup.timestamp and client.request-timeout are known, and those that only tune Flink's client"}
}

// startup turns scan.startup.mode and scan.startup.timestamp into the start of the scan.
func (h *hints) startup(mode, stamp string, o *row.BindOptions) error {
	switch mode {
	case "":
		if stamp != "" {
			return fmt.Errorf("scan.startup.timestamp needs 'scan.startup.mode' = 'timestamp'")
		}
		return nil
	case "full": // from the beginning, of whatever it is: the rows of a key table, or a log
		return nil
	case "earliest":
		return h.setStart(Start{Kind: FromEarliest}, nil)
	case "latest":
		return h.setStart(Start{Kind: FromLatest}, nil)
	case "timestamp":
		millis, err := startupTimestamp(stamp, o)
		return h.setStart(Start{Kind: FromTimestamp, Millis: millis, fixed: true}, err)
	}
	return fmt.Errorf("scan.startup.mode %q is not one of full, earliest, latest, timestamp", mode)
}

// startupTimestamp reads epoch milliseconds or 'yyyy-MM-dd HH:mm:ss', as Flink's connector does.
func startupTimestamp(text string, o *row.BindOptions) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	var d row.Datum
	if err := row.BindText(&d, &pseudoColumns[pseudoCommitTimestamp].Type, row.LiteralTimestamp, text, o); err != nil {
		return 0, fmt.Errorf("scan.startup.timestamp: %w", err)
	}
	return d.I, nil
}

package route

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Opener opens a tiered log segment for reading, from its first byte. location is the path or URI as the cluster
// is configured.
type Opener func(ctx context.Context, location string) (io.ReadCloser, error)

// RemoteLogError says that offsets which are only in remote storage could not be read.
type RemoteLogError struct {
	Table      catalog.TablePath
	Bucket     catalog.Bucket
	Start, End int64 // offsets of the segment that are wanted, End exclusive
	Location   string
	Err        error
}

func (e *RemoteLogError) Error() string {
	return fmt.Sprintf("%s: offsets %d to %d (exclusive) are only in remote storage, in %s: %v",
		place(e.Table, e.Bucket), e.Start, e.End, e.Location, e.Err)
}

func (e *RemoteLogError) Unwrap() error { return e.Err }

// remoteReader reads the segments that an answer named, batch by batch.
type remoteReader struct {
	dir      string
	segments []*flusspb.PbRemoteLogSegment
	skip     int64 // bytes to leave out at the start of the first
	file     io.ReadCloser
	in       *bufio.Reader
}

func (r *remoteReader) close() {
	if r.file != nil {
		r.file.Close()
		r.file, r.in = nil, nil
	}
}

func (r *remoteReader) location() string {
	s := r.segments[0]
	return fmt.Sprintf("%s/%s/%020d.log", strings.TrimSuffix(r.dir, "/"), s.GetRemoteLogSegmentId(), s.GetRemoteLogStartOffset())
}

// goRemote lets a lane go on in remote storage, in Next, as reading there may block.
func (s *Scanner) goRemote(l *lane, info *flusspb.PbRemoteLogFetchInfo) {
	s.c.cfg.Logger.Debug("fluss: reading tiered segments", "bucket", place(s.table.Path, l.bucket), "offset", l.next,
		"directory", info.GetRemoteLogTabletDir(), "segments", len(info.RemoteLogSegments))
	l.fetching = true
	l.remote = &remoteReader{
		dir: info.GetRemoteLogTabletDir(), segments: info.RemoteLogSegments, skip: int64(info.GetFirstStartPos()),
	}
	s.ready = append(s.ready, delivery{errand: func(ctx context.Context) error { return s.readRemote(ctx, l) }})
}

// readRemote reads about a chunk from remote storage and puts it, and the errand for the rest, at the end of the
// queue in place of itself.
func (s *Scanner) readRemote(ctx context.Context, l *lane) error {
	r := l.remote
	segment := r.segments[0]
	failed := &RemoteLogError{
		Table: s.table.Path, Bucket: l.bucket, Start: l.next,
		End: min(segment.GetRemoteLogEndOffset(), l.end), Location: r.location(),
	}
	buf, err := s.readSegment(ctx, r)
	ended := errors.Is(err, io.EOF)
	if err != nil && !ended {
		failed.Err = err
		r.close()
		return failed
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over() {
		r.close()
		return errScanClosed
	}
	s.drop()
	s.takeRecords(l, buf, false)
	if ended {
		r.close()
		if !l.done && l.next < segment.GetRemoteLogEndOffset() {
			failed.Err = malformed("the segment ends before offset %d", l.next)
			return failed
		}
		r.segments, r.skip = r.segments[1:], 0
	}
	for len(r.segments) > 0 && r.segments[0].GetRemoteLogEndOffset() <= l.next && !l.done && r.file == nil {
		r.segments = r.segments[1:]
	}
	switch {
	case l.done:
		r.close()
	case len(r.segments) > 0:
		s.ready = append(s.ready, delivery{errand: func(ctx context.Context) error { return s.readRemote(ctx, l) }})
	default:
		l.remote, l.fetching = nil, false
	}
	return nil
}

// readSegment returns whole batches of the first segment, about a lane's bytes, and io.EOF with the last ones.
func (s *Scanner) readSegment(ctx context.Context, r *remoteReader) ([]byte, error) {
	if r.file == nil {
		if err := s.openSegment(ctx, r); err != nil {
			return nil, err
		}
	}
	var buf []byte
	for len(buf) < laneBytes {
		head, err := r.in.Peek(12)
		if len(head) == 0 && errors.Is(err, io.EOF) {
			return buf, io.EOF
		}
		if err != nil {
			return nil, fmt.Errorf("cut-off batch: %w", noEOF(err))
		}
		n := int64(12) + int64(int32(binary.LittleEndian.Uint32(head[8:])))
		if n < 12 || n > int64(s.c.cfg.MaxScanBytes/2) {
			return nil, malformed("batch of %d bytes", n)
		}
		at := len(buf)
		buf = append(buf, make([]byte, n)...)
		if _, err := io.ReadFull(r.in, buf[at:]); err != nil {
			return nil, fmt.Errorf("cut-off batch: %w", noEOF(err))
		}
	}
	return buf, nil
}

func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (s *Scanner) openSegment(ctx context.Context, r *remoteReader) error {
	file, err := s.c.open(ctx, r.location())
	if err != nil {
		return err
	}
	if r.skip > 0 {
		if seeker, ok := file.(io.Seeker); ok {
			_, err = seeker.Seek(r.skip, io.SeekStart)
		} else {
			_, err = io.CopyN(io.Discard, file, r.skip)
		}
		if err != nil {
			file.Close()
			return err
		}
	}
	r.file, r.in = file, bufio.NewReaderSize(file, 64<<10)
	return nil
}

// open opens a location by its scheme: a bare path and file: are local files.
func (c *Client) open(ctx context.Context, location string) (io.ReadCloser, error) {
	scheme, path, ok := strings.Cut(location, ":")
	switch {
	case !ok || strings.HasPrefix(location, "/"):
		return os.Open(location)
	case c.cfg.Openers[scheme] != nil:
		return c.cfg.Openers[scheme](ctx, location)
	case scheme == "file":
		return os.Open("/" + strings.TrimLeft(path, "/"))
	}
	return nil, fmt.Errorf("there is no reader for %q locations: register an opener for that scheme", scheme)
}

package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// MaxRequestFrame is the server's default limit (netty.server.max-request-size), in bytes of the whole frame with
// its length field. Over it the server fails the connection.
const MaxRequestFrame = 100 << 20

// Sizes of the fixed parts, in bytes.
const (
	requestHeader  = 12 // length, API key, version, request id
	responseHeader = 9  // length, type, request id
	failureHeader  = 5  // length, type
)

// ResponseType is the first byte after a response's length.
type ResponseType int8

const (
	ResponseSuccess ResponseType = 0 // the answer's message follows
	ResponseError   ResponseType = 1 // an ErrorResponse about this request follows
	ResponseFailure ResponseType = 2 // an ErrorResponse about the connection follows; no request id
)

// AppendRequestHeader appends the 12 bytes in front of a request body, all big-endian:
//
//	0  int32  bytes that follow, 8+n
//	4  int16  API key
//	6  int16  API version
//	8  int32  request id, echoed in the answer
//
// n is the body's length in bytes, which the caller has checked against the limit.
// Source: MessageCodec.encodeRequest (Java, v0.9.1-incubating).
func AppendRequestHeader(dst []byte, key APIKey, version int16, id int32, n int) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(requestHeader-4+n))
	dst = binary.BigEndian.AppendUint16(dst, uint16(key))
	dst = binary.BigEndian.AppendUint16(dst, uint16(version))
	return binary.BigEndian.AppendUint32(dst, uint32(id))
}

// AppendResponseHeader appends what stands in front of a response body, all big-endian:
//
//	0  int32  bytes that follow, 5+n
//	4  int8   type: 0 success, 1 error
//	5  int32  request id
//
// A failure (type 2) has no request id and 1+n bytes that follow; id is ignored then.
// Source: MessageCodec.encodeSuccessResponse and its siblings (Java, v0.9.1-incubating).
func AppendResponseHeader(dst []byte, t ResponseType, id int32, n int) []byte {
	if t == ResponseFailure {
		dst = binary.BigEndian.AppendUint32(dst, uint32(failureHeader-4+n))
		return append(dst, byte(t))
	}
	dst = binary.BigEndian.AppendUint32(dst, uint32(responseHeader-4+n))
	dst = append(dst, byte(t))
	return binary.BigEndian.AppendUint32(dst, uint32(id))
}

// AppendResponse appends a whole response frame.
func AppendResponse(dst []byte, t ResponseType, id int32, body []byte) []byte {
	return append(AppendResponseHeader(dst, t, id, len(body)), body...)
}

// Request is a request frame as a server reads it.
type Request struct {
	API     APIKey
	Version int16
	ID      int32
	Body    []byte
}

// ReadRequest reads one frame; its body is fresh memory. limit is for the whole frame, its length field included,
// like the server's own; 0 means MaxRequestFrame. A length out of bounds is a *ProtocolError before
// anything is allocated for it. The end of r before the first byte is io.EOF, within a frame io.ErrUnexpectedEOF.
func ReadRequest(r io.Reader, limit int) (Request, error) {
	if limit <= 0 {
		limit = MaxRequestFrame
	}
	var h [requestHeader]byte
	if _, err := io.ReadFull(r, h[:4]); err != nil {
		return Request{}, err
	}
	n := int64(binary.BigEndian.Uint32(h[:])) // a negative length is a huge one, as for the Java server
	if n < requestHeader-4 || n+4 > int64(limit) {
		return Request{}, &ProtocolError{Reason: fmt.Sprintf("request length %d, want 8 to %d", int32(n), limit-4)}
	}
	if _, err := io.ReadFull(r, h[4:]); err != nil {
		return Request{}, unexpected(err)
	}
	body, err := readBody(r, int(n)-(requestHeader-4), nil)
	return Request{
		API:     APIKey(binary.BigEndian.Uint16(h[4:])),
		Version: int16(binary.BigEndian.Uint16(h[6:])),
		ID:      int32(binary.BigEndian.Uint32(h[8:])),
		Body:    body,
	}, err
}

// Response is a response frame as a client reads it. ID is 0 in a failure.
type Response struct {
	Type ResponseType
	ID   int32
	Body []byte
}

// ReadResponse reads one frame, for tests and tools; Conn has a reader of its own. limit is for the body; the
// errors are those of ReadRequest.
func ReadResponse(r io.Reader, limit int) (Response, error) {
	var h [responseHeader]byte
	if _, err := io.ReadFull(r, h[:failureHeader]); err != nil {
		return Response{}, err
	}
	head, err := parseFailureHeader(h[:failureHeader])
	if err != nil {
		return Response{}, err
	}
	if head.kind != ResponseFailure {
		if _, err := io.ReadFull(r, h[failureHeader:]); err != nil {
			return Response{}, unexpected(err)
		}
		head.id = int32(binary.BigEndian.Uint32(h[failureHeader:]))
	}
	if head.body > limit {
		return Response{}, &ProtocolError{Reason: fmt.Sprintf("response body of %d bytes, limit %d", head.body, limit)}
	}
	body, err := readBody(r, head.body, nil)
	return Response{Type: head.kind, ID: head.id, Body: body}, err
}

// responseHead is a response's header; body is the number of bytes after it.
type responseHead struct {
	kind ResponseType
	id   int32
	body int
}

// parseFailureHeader reads the first 5 bytes of a response, which all types have. Any length under 2 GiB is
// taken: what is too much is for the caller to say.
func parseFailureHeader(h []byte) (responseHead, error) {
	n := int32(binary.BigEndian.Uint32(h))
	kind := ResponseType(h[4])
	fixed := int32(responseHeader - 4)
	switch kind {
	case ResponseSuccess, ResponseError:
	case ResponseFailure:
		fixed = failureHeader - 4
	default:
		return responseHead{}, &ProtocolError{Reason: fmt.Sprintf("response type %d", kind)}
	}
	if n < fixed {
		return responseHead{}, &ProtocolError{Reason: fmt.Sprintf("response length %d of type %d", n, kind)}
	}
	return responseHead{kind: kind, body: int(n - fixed)}, nil
}

// firstChunk is the most that is allocated on the word of a length field alone, in bytes.
const firstChunk = 1 << 20

// readBody reads n bytes into a slice of exactly that length; a large one is allocated only once its first MiB
// is there. progress, if any, is called whenever a part has come.
func readBody(r io.Reader, n int, progress func()) ([]byte, error) {
	body := make([]byte, min(n, firstChunk))
	for done := 0; done < n; {
		if done == len(body) {
			body = append(make([]byte, 0, n), body...)[:n]
		}
		m, err := r.Read(body[done:])
		done += m
		if progress != nil {
			progress()
		}
		if err != nil && done < n {
			return nil, unexpected(err)
		}
	}
	return body, nil
}

// unexpected turns an end within a frame into io.ErrUnexpectedEOF.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

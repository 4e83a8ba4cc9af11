package flusstest

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
)

// apiError is a refusal: of a whole request, or of one bucket in it.
type apiError struct {
	code    wire.ErrorCode
	message string
}

func (e *apiError) Error() string { return e.message }

func refuse(code wire.ErrorCode, format string, args ...any) error {
	return &apiError{code: code, message: fmt.Sprintf(format, args...)}
}

// refuseJava is a refusal the real server has no code for: -1 and a Java stack trace, of which only the first line,
// with the exception's class, is imitated.
func refuseJava(class, format string, args ...any) error {
	return &apiError{code: wire.CodeUnknownServerError, message: class + ": " + fmt.Sprintf(format, args...) + "\n"}
}

// errSilence is returned by a handler whose request the real server never answers.
var errSilence = errors.New("no answer")

// codeOf takes an error apart. A text equal to the code's own is left out of answers, as the real server does.
func codeOf(err error) (code wire.ErrorCode, message string) {
	var refused *apiError
	var stored *storeError
	switch {
	case err == nil:
		return wire.CodeNone, ""
	case errors.As(err, &refused):
		code, message = refused.code, refused.message
	case errors.As(err, &stored):
		code, message = stored.code, stored.message
	default:
		code, message = wire.CodeUnknownServerError, err.Error()
	}
	if message == code.Text() {
		message = ""
	}
	return code, message
}

// bucketError fills the error fields of a bucket's entry; both stay absent after success.
func bucketError(err error) (code *int32, message *string) {
	if err == nil {
		return nil, nil
	}
	c, text := codeOf(err)
	if text != "" {
		message = proto.String(text)
	}
	return proto.Int32(int32(c)), message
}

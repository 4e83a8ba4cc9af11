package dialect

import "errors"

// ErrSyntax matches every *SyntaxError, ErrUnsupported every *UnsupportedError, by errors.Is.
var (
	ErrSyntax      = errors.New("fluss: syntax error")
	ErrUnsupported = errors.New("fluss: not supported")
)

// Is matches ErrSyntax.
func (e *SyntaxError) Is(target error) bool { return target == ErrSyntax }

// Is matches ErrUnsupported.
func (e *UnsupportedError) Is(target error) bool { return target == ErrUnsupported }

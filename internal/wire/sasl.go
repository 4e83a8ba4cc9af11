package wire

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// How long to wait before the handshake is tried again, as the Java client does.
const (
	firstAuthBackoff = 100 * time.Millisecond
	maxAuthBackoff   = 5 * time.Second
)

// AuthError is an authentication the server did not refuse and that is not complete either.
type AuthError struct {
	Reason string
}

func (e *AuthError) Error() string { return "authentication: " + e.Reason }

// authenticate sends the PLAIN token, one round trip:
//
//	00 | user name | 00 | password      UTF-8, no authorization identity in front
//
// The answer has no challenge or an empty one. Code 51 says to start over after a while; any other refusal is final.
// Source: SaslAuthenticator and PlainSaslClient (Java, v0.9.1-incubating).
func (c *Conn) authenticate(ctx context.Context, cred *Credentials) error {
	version, ok := c.Version(APIAuthenticate)
	if !ok {
		return &AuthError{Reason: "the server does not offer it"}
	}
	req := &flusspb.AuthenticateRequest{
		Protocol: proto.String("PLAIN"), Token: []byte("\x00" + cred.User + "\x00" + cred.Password),
	}
	for backoff := firstAuthBackoff; ; backoff = min(2*backoff, maxAuthBackoff) {
		var resp flusspb.AuthenticateResponse
		err := c.call(ctx, APIAuthenticate, version, 0, req, &resp)
		if err == nil {
			if len(resp.Challenge) > 0 {
				return &AuthError{Reason: "the server answered PLAIN with a challenge"}
			}
			return nil
		}
		refused, ok := errors.AsType[*ServerError](err)
		if !ok || refused.Code != CodeRetriableAuthenticate {
			return withoutPassword(err, cred)
		}
		if !pause(ctx, jitter(backoff)) {
			return fmt.Errorf("%w; last answer: %w", ctx.Err(), withoutPassword(refused, cred))
		}
	}
}

// withoutPassword makes sure that the server's words do not repeat the password. They may hold it changed or cut off, as
// CleanMessage does; such words are dropped as a whole.
func withoutPassword(err error, cred *Credentials) error {
	if e, ok := errors.AsType[*ServerError](err); ok {
		e.Message = cred.unsaid(e.Code, e.Message)
	}
	if e, ok := errors.AsType[*ServerFailure](err); ok {
		e.Message = cred.unsaid(e.Code, e.Message)
	}
	return err
}

// unsaid is a cleaned message, or the code's own text where the message might tell of the password.
func (cred *Credentials) unsaid(code ErrorCode, message string) string {
	if cred.Password == "" {
		return message
	}
	if len(message) >= maxMessage-utf8.UTFMax {
		return code.Text()
	}
	message = strings.ReplaceAll(message, cred.Password, "***")
	if line := CleanMessage(CodeNone, cred.Password); strings.Contains(message, line) {
		return code.Text()
	}
	return message
}

// jitter changes d by up to a fifth.
func jitter(d time.Duration) time.Duration {
	return d - d/5 + rand.N(2*d/5)
}

// pause waits for d; false when ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

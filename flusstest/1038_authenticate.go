package flusstest

// AUTHENTICATE, version 0, with PLAIN on a cluster that has users and PLAINTEXT on one that has none. After a failure
// the connection stays open and another try may succeed, as in the real server.

import (
	"bytes"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

var errNotAuthenticated = refuse(wire.CodeAuthenticate, "The connection has not completed authentication yet. This may be caused by a missing or incorrect configuration of 'client.security.protocol' on the client side.")

// locked says whether the connection has still to authenticate.
func (c *connection) locked() bool { return c.node.srv.opt.users != nil && c.user == "" }

func (c *call) authenticate(q *flusspb.AuthenticateRequest) (proto.Message, error) {
	users := c.srv.opt.users
	switch mechanism := q.GetProtocol(); {
	case users == nil && mechanism != "PLAINTEXT":
		return nil, refuse(wire.CodeAuthenticate, "Authenticate protocol not match: protocol of server is 'PLAINTEXT' while protocol of client is '%s'", mechanism)
	case users == nil:
		return new(flusspb.AuthenticateResponse), nil
	case mechanism == "plain":
		return nil, refuseJava(illegalArgument, "Unable to find login context of mechanism plain")
	case mechanism != "PLAIN":
		return nil, refuse(wire.CodeAuthenticate, "SASL server enables [PLAIN] while protocol of client is '%s'", mechanism)
	case c.conn.user != "":
		return new(flusspb.AuthenticateResponse), nil
	}
	user, err := checkPlain(q.Token, users)
	if err != nil {
		return nil, err
	}
	c.conn.user = user
	return &flusspb.AuthenticateResponse{Challenge: []byte{}}, nil
}

// checkPlain checks a token "[authzid] NUL user NUL password" and returns the user.
func checkPlain(token []byte, users map[string]string) (string, error) {
	parts := bytes.Split(token, []byte{0})
	if len(parts) != 3 {
		return "", refuse(wire.CodeAuthenticate, "Authentication failed: Invalid SASL/PLAIN response: expected 3 tokens, got %d", len(parts))
	}
	authz, user, password := string(parts[0]), string(parts[1]), string(parts[2])
	switch expected, known := users[user]; {
	case user == "":
		return "", refuse(wire.CodeAuthenticate, "Authentication failed: username not specified")
	case password == "":
		return "", refuse(wire.CodeAuthenticate, "Authentication failed: password not specified")
	case !known || expected != password:
		return "", refuse(wire.CodeAuthenticate, "Authentication failed: Invalid username or password")
	case authz != "" && authz != user:
		return "", refuse(wire.CodeAuthenticate, "Authentication failed: Client requested an authorization id that is different from username")
	}
	return user, nil
}

package flusstest

// CREATE_ACLS (1039), LIST_ACLS (1040) and DROP_ACLS (1041), version 0. As of a cluster without an authorizer: code 47.

import (
	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

var errNoAuthorizer = refuse(wire.CodeSecurityDisabled, "No Authorizer is configured.")

func (c *call) createACLs(*flusspb.CreateAclsRequest) (proto.Message, error) {
	return nil, errNoAuthorizer
}

func (c *call) listACLs(*flusspb.ListAclsRequest) (proto.Message, error) {
	return nil, errNoAuthorizer
}

func (c *call) dropACLs(*flusspb.DropAclsRequest) (proto.Message, error) {
	return nil, errNoAuthorizer
}

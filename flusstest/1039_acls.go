package flusstest

// CREATE_ACLS (1039), LIST_ACLS (1040) and DROP_ACLS (1041), version 0. Without an authorizer, see Authorize, code 47.

import (
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

var errNoAuthorizer = refuse(wire.CodeSecurityDisabled, "No Authorizer is configured.")

func (c *call) createACLs(q *flusspb.CreateAclsRequest) (proto.Message, error) {
	rights := c.srv.rights
	if rights == nil {
		return nil, errNoAuthorizer
	}
	var list []right
	answer := new(flusspb.CreateAclsResponse)
	for _, a := range q.Acl {
		g, err := rightOf(a)
		if err != nil {
			return nil, err
		}
		list = append(list, g)
		answer.AclRes = append(answer.AclRes, &flusspb.PbCreateAclRespInfo{Acl: g.pb(), ErrorCode: proto.Int32(0)})
	}
	for i := range list {
		if err := c.mustAdminister(list[i].resource); err != nil {
			return nil, err
		}
	}
	rights.give(list)
	return answer, nil
}

// mustAdminister checks for the right to change rights on a resource: ALTER on it, of a table on its database.
func (c *call) mustAdminister(r resource) error {
	if r.kind == tableResource {
		database, _, _ := strings.Cut(r.name, ".")
		r = databaseNamed(database)
	}
	return c.must(opAlter, r)
}

func (c *call) listACLs(q *flusspb.ListAclsRequest) (proto.Message, error) {
	rights, filter := c.srv.rights, rightFilter{q.AclFilter}
	if rights == nil {
		return nil, errNoAuthorizer
	}
	if err := filter.check(); err != nil {
		return nil, err
	}
	answer := new(flusspb.ListAclsResponse)
	for _, g := range rights.list(filter.matches) {
		if c.may(opDescribe, g.resource) {
			answer.Acl = append(answer.Acl, g.pb())
		}
	}
	return answer, nil
}

func (c *call) dropACLs(q *flusspb.DropAclsRequest) (proto.Message, error) {
	rights := c.srv.rights
	if rights == nil {
		return nil, errNoAuthorizer
	}
	for _, f := range q.AclFilter {
		filter := rightFilter{f}
		if err := filter.check(); err != nil {
			return nil, err
		}
		for _, g := range rights.list(func(g *right) bool { return filter.matchesResource(g.resource) }) {
			if err := c.mustAdminister(g.resource); err != nil {
				return nil, err
			}
		}
	}
	answer := new(flusspb.DropAclsResponse)
	for _, f := range q.AclFilter {
		result := new(flusspb.PbDropAclsFilterResult)
		for _, g := range rights.take(rightFilter{f}.matches) {
			result.MatchingAcls = append(result.MatchingAcls, &flusspb.PbDropAclsMatchingAcl{Acl: g.pb()})
		}
		answer.FilterResults = append(answer.FilterResults, result)
	}
	return answer, nil
}

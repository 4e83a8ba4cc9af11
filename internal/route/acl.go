package route

import (
	"context"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// ACL is a right that a principal has on a resource; in a filter, the rights that agree with it in what is set.
// The texts are those of the enums ResourceType, OperationType and PermissionType (Java, v0.9.1-incubating), with AnyACL
// for whatever a filter leaves open.
type ACL struct {
	ResourceType  string // CLUSTER, DATABASE, TABLE
	Resource      string // ClusterResource, a database, or database.table; not looked at when the type is AnyACL
	Permission    string // ALLOW
	PrincipalType string // "User"; "" in a filter: any principal
	Principal     string
	Operation     string // ALL, READ, WRITE, CREATE, DROP, ALTER, DESCRIBE
	Host          string // an address, or "*" for all; "" in a filter: any
}

// AnyACL stands for any type, operation or permission in a filter.
const AnyACL = "ANY"

// ClusterResource is the name of the cluster as a resource.
const ClusterResource = "fluss-cluster"

// The words by their numbers on the wire; number 0 is none.
var (
	resourceTypes = words{"", AnyACL, "CLUSTER", "DATABASE", "TABLE"}
	operations    = words{"", AnyACL, "ALL", "READ", "WRITE", "CREATE", "DROP", "ALTER", "DESCRIBE"}
	permissions   = words{"", AnyACL, "ALLOW"}
)

// ACLOperations and ACLPermissions are the words that an ACL can have, AnyACL first.
var (
	ACLOperations  = []string(operations[1:])
	ACLPermissions = []string(permissions[1:])
)

// words are the names of an enum by their numbers.
type words []string

func (w words) number(word string) *int32 {
	for i := range w {
		if w[i] == word {
			return new(int32(i))
		}
	}
	return new(int32)
}

func (w words) word(number int32) string {
	if number < 0 || int(number) >= len(w) {
		return ""
	}
	return w[number]
}

// CreateACL gives a right. Giving one again does nothing. Other servers than the coordinator learn of it within about a
// second.
func (c *Client) CreateACL(ctx context.Context, a *ACL) error {
	resp := &flusspb.CreateAclsResponse{}
	err := c.change(ctx, ddl{
		what: "the right", key: wire.APICreateACLs, again: true, resp: resp,
		req: &flusspb.CreateAclsRequest{Acl: []*flusspb.PbAclInfo{{
			ResourceName: &a.Resource, ResourceType: resourceTypes.number(a.ResourceType), PrincipalName: &a.Principal,
			PrincipalType: &a.PrincipalType, Host: &a.Host, OperationType: operations.number(a.Operation),
			PermissionType: permissions.number(a.Permission),
		}}},
	})
	for _, r := range resp.AclRes {
		if err == nil {
			err = c.partRefused(wire.APICreateACLs, r.GetErrorCode(), r.GetErrorMessage())
		}
	}
	return err
}

// DropACLs takes away the rights that the filter finds. Finding none is no error.
func (c *Client) DropACLs(ctx context.Context, filter *ACL) error {
	resp := &flusspb.DropAclsResponse{}
	err := c.change(ctx, ddl{
		what: "the rights", key: wire.APIDropACLs, again: true, resp: resp,
		req: &flusspb.DropAclsRequest{AclFilter: []*flusspb.PbAclFilter{aclFilter(filter)}},
	})
	for _, f := range resp.FilterResults {
		if err == nil {
			err = c.partRefused(wire.APIDropACLs, f.GetErrorCode(), f.GetErrorMessage())
		}
		for _, m := range f.MatchingAcls {
			if err == nil {
				err = c.partRefused(wire.APIDropACLs, m.GetErrorCode(), m.GetErrorMessage())
			}
		}
	}
	return err
}

// ListACLs returns the rights that the filter finds on resources that the user may describe, in no order. The coordinator
// is asked: it knows at once what it changed.
func (c *Client) ListACLs(ctx context.Context, filter *ACL) ([]ACL, error) {
	resp := &flusspb.ListAclsResponse{}
	err := c.change(ctx, ddl{
		what: "the list of rights", key: wire.APIListACLs, read: true, resp: resp,
		req: &flusspb.ListAclsRequest{AclFilter: aclFilter(filter)},
	})
	list := make([]ACL, len(resp.Acl))
	for i, a := range resp.Acl {
		list[i] = ACL{
			ResourceType: resourceTypes.word(a.GetResourceType()), Resource: a.GetResourceName(), Permission: permissions.word(a.GetPermissionType()),
			PrincipalType: a.GetPrincipalType(), Principal: a.GetPrincipalName(), Operation: operations.word(a.GetOperationType()), Host: a.GetHost(),
		}
	}
	return list, err
}

func aclFilter(a *ACL) *flusspb.PbAclFilter {
	f := &flusspb.PbAclFilter{
		ResourceType: resourceTypes.number(a.ResourceType), OperationType: operations.number(a.Operation), PermissionType: permissions.number(a.Permission),
	}
	if a.ResourceType != AnyACL {
		f.ResourceName = &a.Resource
	}
	if a.PrincipalType != "" {
		f.PrincipalType, f.PrincipalName = &a.PrincipalType, &a.Principal
	}
	if a.Host != "" {
		f.Host = &a.Host
	}
	return f
}

// partRefused is the error of one entry in an answer that says success as a whole.
func (c *Client) partRefused(api wire.APIKey, code int32, message string) error {
	if code == int32(wire.CodeNone) {
		return nil
	}
	e := &wire.ServerError{API: api, Code: wire.ErrorCode(code), Message: wire.CleanMessage(wire.ErrorCode(code), message)}
	if k := c.cluster.Load(); k != nil && k.boss != nil {
		e.Server = k.bossAt.addr
	}
	return e
}

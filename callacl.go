package fluss

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/route"
)

// The procedures of rights: (resource, permission, principal, operation [, host]).
// Source: AbstractAclProcedure and its subclasses (fluss-flink, v0.9.1-incubating).
const (
	aclResource = iota
	aclPermission
	aclPrincipal
	aclOperation
	aclHost
)

// acl reads the arguments. What is NULL or left out is ANY, which only a filter may be; host, which is def.
func (p *procedureCall) acl(host string) (*route.ACL, error) {
	a := &route.ACL{Host: p.optional(aclHost, host)}
	if strings.EqualFold(a.Host, route.AnyACL) {
		a.Host = ""
	}
	permission, err := p.oneOf("permission", p.optional(aclPermission, route.AnyACL), route.ACLPermissions)
	if err != nil {
		return nil, err
	}
	operation, err := p.oneOf("operation", p.optional(aclOperation, route.AnyACL), route.ACLOperations)
	if err != nil {
		return nil, err
	}
	a.Permission, a.Operation = route.ACLPermissions[permission], route.ACLOperations[operation]
	if err := p.aclPrincipal(a, p.optional(aclPrincipal, route.AnyACL)); err != nil {
		return nil, err
	}
	return a, p.aclResource(a, p.optional(aclResource, route.AnyACL))
}

// aclPrincipal reads ANY, ALL or Type:name.
func (p *procedureCall) aclPrincipal(a *route.ACL, text string) error {
	kind, name, ok := strings.Cut(text, ":")
	switch {
	case strings.EqualFold(text, route.AnyACL):
	case strings.EqualFold(text, "ALL"):
		a.PrincipalType, a.Principal = "*", "*"
	case !ok || kind == "" || name == "":
		return p.refuse("principal", "%q is no principal: write Type:name, as in User:alice, ALL for everybody, or ANY in a filter", text)
	default:
		a.PrincipalType, a.Principal = kind, name
	}
	return nil
}

// aclResource reads ANY, cluster, cluster.database or cluster.database.table.
func (p *procedureCall) aclResource(a *route.ACL, text string) error {
	parts := strings.Split(text, ".")
	switch {
	case strings.EqualFold(text, route.AnyACL):
		a.ResourceType = route.AnyACL
		return nil
	case !strings.EqualFold(parts[0], "cluster") && len(parts) <= 2:
		return p.refuse("resource", "%q is no resource: write cluster.%s, or ANY in a filter", text, text)
	case !strings.EqualFold(parts[0], "cluster") || len(parts) > 3 || slices.Contains(parts, ""):
		return p.refuse("resource", "%q is no resource: write cluster, cluster.database, cluster.database.table, or ANY in a filter", text)
	case len(parts) == 1:
		a.ResourceType, a.Resource = "CLUSTER", route.ClusterResource
	case len(parts) == 2:
		a.ResourceType, a.Resource = "DATABASE", parts[1]
	default:
		a.ResourceType, a.Resource = "TABLE", parts[1]+"."+parts[2]
	}
	return nil
}

func (p *procedureCall) addACL(ctx context.Context) (*staticRows, error) {
	a, err := p.acl("*")
	if err != nil {
		return nil, err
	}
	for _, needed := range [][2]string{{"resource", a.ResourceType}, {"permission", a.Permission}, {"principal", a.PrincipalType}, {"operation", a.Operation}, {"host", a.Host}} {
		if needed[1] == "" || needed[1] == route.AnyACL {
			return nil, p.refuse(needed[0], "ANY and NULL are for filters; operation ALL, principal ALL and host '*' give a right to all")
		}
	}
	return results(success), p.c.client.CreateACL(ctx, a)
}

func (p *procedureCall) dropACL(ctx context.Context) (*staticRows, error) {
	a, err := p.acl("*")
	if err != nil {
		return nil, err
	}
	return results(success), p.c.client.DropACLs(ctx, a)
}

// listACL lists rights for any host unless one is named, as Flink's documentation has it; its code takes those for '*'.
func (p *procedureCall) listACL(ctx context.Context) (*staticRows, error) {
	a, err := p.acl(route.AnyACL)
	if err != nil {
		return nil, err
	}
	list, err := p.c.client.ListACLs(ctx, a)
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = aclText(&list[i])
	}
	slices.Sort(texts)
	return results(texts...), err
}

// aclText is a right as Flink prints it.
func aclText(a *route.ACL) string {
	resource := "cluster"
	if a.Resource != route.ClusterResource {
		resource += "." + a.Resource
	}
	return fmt.Sprintf("resource=%q;permission=%q;principal=%q;operation=%q;host=%q", resource, a.Permission, a.PrincipalType+":"+a.Principal, a.Operation, a.Host)
}

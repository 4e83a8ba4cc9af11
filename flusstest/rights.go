package flusstest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// right is one line of an access control list: the principal may do that on the resource when it comes from host, which
// is "*" for any.
type right struct {
	resource  resource
	principal principal
	host      string
	op        operation
	allow     int32 // PermissionType: 2 is ALLOW, and there is no DENY
}

const allow int32 = 2

// rights are those of a cluster with an authorizer. Giving and taking them shows at once on all servers.
type rights struct {
	super map[principal]bool

	mu  sync.RWMutex
	all map[right]bool
}

func newRights(superUsers []string) *rights {
	r := &rights{super: map[principal]bool{}, all: map[right]bool{}}
	for _, name := range superUsers {
		r.super[principal{"User", name}] = true
	}
	return r
}

// allow says whether p may do that. A right on the cluster or on a database is one on what lies beneath.
func (r *rights) allow(p principal, host string, op operation, on resource) bool {
	if r.super[p] {
		return true
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	for g := range r.all {
		if g.allow == allow && (g.principal == p || g.principal == everybody) && g.op.implies(op) &&
			(g.host == "*" || g.host == host) && g.resource.covers(on) {
			return true
		}
	}
	return false
}

// covers says whether a right on r is one on another resource. The name "*" stands for all of a kind.
func (r resource) covers(other resource) bool {
	if r == other || r.kind == other.kind && r.name == "*" {
		return true
	}
	switch other.kind {
	case tableResource:
		database, _, _ := strings.Cut(other.name, ".")
		return r == theCluster || r == databaseNamed(database)
	case databaseResource:
		return r == theCluster
	}
	return false
}

func (r *rights) give(list []right) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range list {
		r.all[g] = true
	}
}

// take removes the rights that match and returns them in order.
func (r *rights) take(match func(*right) bool) []right {
	taken := r.list(match)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range taken {
		delete(r.all, g)
	}
	return taken
}

// list returns the rights that match in order.
func (r *rights) list(match func(*right) bool) []right {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var found []right
	for g := range maps.Keys(r.all) {
		if match(&g) {
			found = append(found, g)
		}
	}
	slices.SortFunc(found, func(a, b right) int {
		return cmp.Or(int(a.resource.kind-b.resource.kind), strings.Compare(a.resource.name, b.resource.name),
			strings.Compare(a.principal.String(), b.principal.String()), int(a.op-b.op), strings.Compare(a.host, b.host))
	})
	return found
}

// rightOf reads a binding. The codes are checked as Java's enums do.
func rightOf(a *flusspb.PbAclInfo) (right, error) {
	g := right{
		resource: resource{resourceType(a.GetResourceType()), a.GetResourceName()}, principal: principal{a.GetPrincipalType(), a.GetPrincipalName()},
		host: a.GetHost(), op: operation(a.GetOperationType()), allow: a.GetPermissionType(),
	}
	return g, checkCodes(g.resource.kind, g.op, g.allow)
}

func checkCodes(kind resourceType, op operation, permission int32) error {
	switch {
	case kind < anyResource || kind > tableResource:
		return refuseJava(illegalArgument, "Unknown resource type code %d", kind)
	case op < opAny || op > opDescribe:
		return refuseJava(illegalArgument, "Unknown operation type code: %d", op)
	case permission != 1 && permission != allow:
		return refuseJava(illegalArgument, "Unknown permission type: %d", permission)
	}
	return nil
}

func (g *right) pb() *flusspb.PbAclInfo {
	return &flusspb.PbAclInfo{
		ResourceName: &g.resource.name, ResourceType: (*int32)(&g.resource.kind), PrincipalName: &g.principal.name, PrincipalType: &g.principal.kind,
		Host: &g.host, OperationType: (*int32)(&g.op), PermissionType: &g.allow,
	}
}

// rightFilter is a filter of rights; what is not set matches everything.
type rightFilter struct {
	*flusspb.PbAclFilter
}

func (f rightFilter) check() error {
	return checkCodes(resourceType(f.GetResourceType()), operation(f.GetOperationType()), f.GetPermissionType())
}

// matchesResource leaves the name aside when the type is ANY.
func (f rightFilter) matchesResource(r resource) bool {
	kind := resourceType(f.GetResourceType())
	return kind == anyResource || kind == r.kind && (f.ResourceName == nil || f.GetResourceName() == r.name)
}

func (f rightFilter) matches(g *right) bool {
	who := f.PrincipalName == nil || f.PrincipalType == nil || g.principal == principal{f.GetPrincipalType(), f.GetPrincipalName()}
	return f.matchesResource(g.resource) && who && (f.Host == nil || f.GetHost() == g.host) &&
		(operation(f.GetOperationType()) == opAny || operation(f.GetOperationType()) == g.op) && (f.GetPermissionType() == 1 || f.GetPermissionType() == g.allow)
}

package flusstest

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func pbRight(kind int32, name string, op, permission int32) *flusspb.PbAclInfo {
	return &flusspb.PbAclInfo{
		ResourceName: &name, ResourceType: &kind, PrincipalName: proto.String("ANONYMOUS"), PrincipalType: proto.String("User"),
		Host: proto.String("*"), OperationType: &op, PermissionType: &permission,
	}
}

// TestRights has what only hand-made frames send: numbers of the enums that there are not, and writers without a table.
func TestRights(t *testing.T) {
	srv := Run(t, InMemory(), Authorize("ANONYMOUS"))
	c := dialRaw(t, srv, srv.Addresses()[0])
	for _, tt := range []struct {
		name  string
		right *flusspb.PbAclInfo
		want  wire.ErrorCode
	}{
		{"a right", pbRight(4, "d.t", 3, 2), 0},
		{"on any resource, which does nothing", pbRight(1, "any", 3, 2), 0},
		{"resource type 0", pbRight(0, "d", 3, 2), wire.CodeUnknownServerError},
		{"resource type 5", pbRight(5, "d", 3, 2), wire.CodeUnknownServerError},
		{"operation 9", pbRight(3, "d", 9, 2), wire.CodeUnknownServerError},
		{"permission 3", pbRight(3, "d", 3, 3), wire.CodeUnknownServerError},
	} {
		m, code := c.call(wire.APICreateACLs, &flusspb.CreateAclsRequest{Acl: []*flusspb.PbAclInfo{tt.right}})
		if code != tt.want {
			t.Errorf("%s: code %d, want %d", tt.name, code, tt.want)
		}
		if tt.want != 0 {
			continue
		}
		if answer := m.(*flusspb.CreateAclsResponse); len(answer.AclRes) != 1 || answer.AclRes[0].ErrorCode == nil || answer.AclRes[0].GetErrorCode() != 0 {
			t.Errorf("%s: %v", tt.name, answer)
		}
	}
	tablet := dialRaw(t, srv, srv.Addresses()[1])
	if _, code := tablet.call(wire.APIInitWriter, new(flusspb.InitWriterRequest)); code != wire.CodeAuthorization {
		t.Errorf("a writer without a table: code %d", code)
	}
	filter := &flusspb.PbAclFilter{ResourceType: proto.Int32(1), OperationType: proto.Int32(1), PermissionType: proto.Int32(1)}
	dropped := c.must(wire.APIDropACLs, &flusspb.DropAclsRequest{AclFilter: []*flusspb.PbAclFilter{filter, filter}}).(*flusspb.DropAclsResponse)
	if r := dropped.FilterResults; len(r) != 2 || len(r[0].MatchingAcls) != 2 || len(r[1].MatchingAcls) != 0 {
		t.Errorf("drop everything twice: %v", dropped)
	}
}

// TestCovers has which rights hold for which resources, and which operations are implied by others.
func TestCovers(t *testing.T) {
	table, other := resource{tableResource, "d.t"}, resource{tableResource, "dd.t"}
	for _, tt := range []struct {
		given, asked resource
		want         bool
	}{
		{table, table, true}, {table, other, false}, {databaseNamed("d"), table, true}, {databaseNamed("d"), other, false},
		{databaseNamed("d"), databaseNamed("d"), true}, {databaseNamed("d"), theCluster, false}, {table, databaseNamed("d"), false},
		{theCluster, table, true}, {theCluster, databaseNamed("x"), true}, {theCluster, theCluster, true},
		{resource{tableResource, "*"}, table, true}, {resource{databaseResource, "*"}, databaseNamed("x"), true},
		{resource{databaseResource, "*"}, table, false}, {resource{anyResource, "any"}, table, false},
	} {
		if got := tt.given.covers(tt.asked); got != tt.want {
			t.Errorf("a right on %s is one on %s: %v", tt.given, tt.asked, got)
		}
	}
	for _, tt := range []struct {
		given, asked operation
		want         bool
	}{
		{opAll, opRead, true}, {opAll, opDescribe, true}, {opRead, opDescribe, true}, {opAlter, opDescribe, true}, {opDescribe, opRead, false},
		{opWrite, opRead, false}, {opAny, opRead, false}, {opAny, opDescribe, false},
	} {
		if got := tt.given.implies(tt.asked); got != tt.want {
			t.Errorf("%s implies %s: %v", tt.given, tt.asked, got)
		}
	}
}

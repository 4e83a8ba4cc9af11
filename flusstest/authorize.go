package flusstest

import (
	"fmt"
	"net"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

// Who may do what, as the authorizer of the real server has it: super users everything, others what rights say.
// Source: DefaultAuthorizer, RpcServiceBase, CoordinatorService, TabletService (Java, v0.9.1-incubating).

// operation is what a right allows.
type operation int32

const (
	opAny operation = iota + 1
	opAll
	opRead
	opWrite
	opCreate
	opDrop
	opAlter
	opDescribe
)

var operationNames = [...]string{opAny: "ANY", opAll: "ALL", opRead: "READ", opWrite: "WRITE", opCreate: "CREATE", opDrop: "DROP", opAlter: "ALTER", opDescribe: "DESCRIBE"}

func (o operation) String() string { return operationNames[o] }

// implies says whether a right to o is one to want: any other is also one to describe, but for ALL, which is all.
func (o operation) implies(want operation) bool {
	return o == want || o == opAll || want == opDescribe && o >= opRead
}

// resourceType is the kind of a resource.
type resourceType int32

const (
	anyResource resourceType = iota + 1
	clusterResource
	databaseResource
	tableResource
)

var resourceNames = [...]string{anyResource: "ANY", clusterResource: "CLUSTER", databaseResource: "DATABASE", tableResource: "TABLE"}

// resource is what a right is about.
type resource struct {
	kind resourceType
	name string
}

var theCluster = resource{clusterResource, "fluss-cluster"}

func databaseNamed(name string) resource         { return resource{databaseResource, name} }
func tableNamed(path catalog.TablePath) resource { return resource{tableResource, path.String()} }

func (r resource) String() string {
	return fmt.Sprintf("Resource{type=%s, name='%s'}", resourceNames[r.kind], r.name)
}

// principal is who asks.
type principal struct{ kind, name string }

var everybody = principal{"*", "*"}

func (p principal) String() string {
	return fmt.Sprintf("FlussPrincipal{name='%s', type='%s'}", p.name, p.kind)
}

// principal is the user of the connection.
func (c *connection) principal() principal {
	if c.user == "" {
		return principal{"User", "ANONYMOUS"}
	}
	return principal{"User", c.user}
}

// peer is the address that the connection came from.
func (c *connection) peer() string {
	addr := c.nc.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return addr
}

// may says whether the user of the call may do that.
func (c *call) may(op operation, r resource) bool {
	rights := c.srv.rights
	return rights == nil || rights.allow(c.conn.principal(), c.conn.peer(), op, r)
}

// must is may as a refusal.
func (c *call) must(op operation, r resource) error {
	if c.may(op, r) {
		return nil
	}
	return refuse(wire.CodeAuthorization, "Principal %s have no authorization to operate %s on resource %s ", c.conn.principal(), op, r)
}

// mustTable is must for a table by its id.
func (c *call) mustTable(op operation, id int64) error {
	if c.srv.rights == nil {
		return nil
	}
	path, err := c.pathOf(id)
	if err != nil {
		return err
	}
	return c.must(op, tableNamed(path))
}

// mayRead is asked for each bucket of those requests that answer it there.
func (c *call) mayRead(tableID int64) error {
	if c.srv.rights == nil {
		return nil
	}
	path, err := c.pathOf(tableID)
	if err == nil && !c.may(opRead, tableNamed(path)) {
		err = refuse(wire.CodeAuthorization, "No permission to %s table %s in database %s", opRead, path.Table, path.Database)
	}
	return err
}

// leadRead is lead for requests that need the right to read.
func (c *call) leadRead(key catalog.Bucket) (*bucket, error) {
	if err := c.mayRead(key.TableID); err != nil {
		return nil, err
	}
	return c.lead(key)
}

func (c *call) pathOf(id int64) (catalog.TablePath, error) {
	cl := c.srv.cluster
	cl.mu.RLock()
	defer cl.mu.RUnlock()
	if t := cl.tablesByID[id]; t != nil {
		return t.path, nil
	}
	name := fmt.Sprintf("tablet-%d", c.node.id)
	if c.node.kind == wireCoordinator {
		name = "coordinator"
	}
	return catalog.TablePath{}, refuse(wire.CodeUnknownTableOrBucket, "This server %s does not know this table ID %d. "+
		"This may happen when the table metadata cache in the server is not updated yet.", name, id)
}

// authorize checks what a request needs as a whole. Requests that are not here need nothing, or check it themselves:
// lists leave out what the user may not describe, and lookups and fetches refuse it for each bucket.
func (c *call) authorize(q proto.Message) error {
	if c.srv.rights == nil {
		return nil
	}
	switch q := q.(type) {
	case *flusspb.CreateDatabaseRequest:
		return c.must(opCreate, theCluster)
	case *flusspb.DropDatabaseRequest:
		return c.must(opDrop, databaseNamed(q.GetDatabaseName()))
	case *flusspb.GetDatabaseInfoRequest:
		return c.must(opDescribe, databaseNamed(q.GetDatabaseName()))
	case *flusspb.CreateTableRequest:
		if checkTablePath(tablePath(q.TablePath)) != nil {
			return nil // refused for its name
		}
		return c.must(opCreate, databaseNamed(q.TablePath.GetDatabaseName()))
	case *flusspb.AlterTableRequest:
		if checkTablePath(tablePath(q.TablePath)) != nil {
			return nil
		}
		return c.must(opAlter, tableNamed(tablePath(q.TablePath)))
	case *flusspb.DropTableRequest:
		return c.must(opDrop, tableNamed(tablePath(q.TablePath)))
	case *flusspb.CreatePartitionRequest:
		return c.must(opWrite, tableNamed(tablePath(q.TablePath)))
	case *flusspb.DropPartitionRequest:
		return c.must(opWrite, tableNamed(tablePath(q.TablePath)))
	case *flusspb.ProduceLogRequest:
		return c.mustTable(opWrite, q.GetTableId())
	case *flusspb.PutKvRequest:
		return c.mustTable(opWrite, q.GetTableId())
	case *flusspb.LimitScanRequest:
		return c.mustTable(opRead, q.GetTableId())
	case *flusspb.GetTableStatsRequest:
		return c.mustTable(opRead, q.GetTableId())
	case *flusspb.InitWriterRequest:
		return c.mustAnyTable(q.TablePath)
	}
	return c.authorizeAdmin(q)
}

// authorizeAdmin is authorize for requests that describe tables and for those about the cluster.
func (c *call) authorizeAdmin(q proto.Message) error {
	switch q := q.(type) {
	case interface{ GetTablePath() *flusspb.PbTablePath }: // GET_TABLE_INFO, GET_TABLE_SCHEMA, LIST_PARTITION_INFOS and snapshots
		if _, anybody := q.(*flusspb.TableExistsRequest); anybody {
			return nil
		}
		return c.must(opDescribe, tableNamed(tablePath(q.GetTablePath())))
	case *flusspb.GetKvSnapshotMetadataRequest:
		return c.mustTable(opDescribe, q.GetTableId())
	case *flusspb.DescribeClusterConfigsRequest, *flusspb.ListRebalanceProgressRequest:
		return c.must(opDescribe, theCluster)
	case *flusspb.AlterClusterConfigsRequest:
		if len(q.AlterConfigs) == 0 {
			return nil
		}
		return c.must(opAlter, theCluster)
	case *flusspb.AddServerTagRequest, *flusspb.RemoveServerTagRequest:
		return c.must(opAlter, theCluster)
	case *flusspb.RebalanceRequest, *flusspb.CancelRebalanceRequest:
		return c.must(opWrite, theCluster)
	}
	return nil
}

// mustAnyTable lets a writer in who may write to one of the tables.
func (c *call) mustAnyTable(paths []*flusspb.PbTablePath) error {
	if len(paths) == 0 {
		return refuse(wire.CodeAuthorization, "The request of InitWriter requires non empty table paths for authorization.")
	}
	var names []string
	for _, p := range paths {
		if c.may(opWrite, tableNamed(tablePath(p))) {
			return nil
		}
		names = append(names, tablePath(p).String())
	}
	return refuse(wire.CodeAuthorization, "No %s permission among all the tables: %s", opWrite, javaList(names))
}

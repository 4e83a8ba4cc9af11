// Package catalog holds the nouns of Fluss: paths, types, columns, schemas, tables, buckets and servers.
//
// Values are immutable once published: whoever builds one hands it over and never changes it again, so that
// they may be shared between goroutines without a lock. The package does no I/O and knows no wire format
// other than the JSON texts in which Fluss keeps schemas and descriptors.
package catalog

// TablePath names a table: a database and a table in it.
type TablePath struct {
	Database string
	Table    string
}

// String returns database.table, unquoted.
func (p TablePath) String() string { return p.Database + "." + p.Table }

// NoPartition stands for the partition id of a table that is not partitioned. Real ids start at 0.
const NoPartition int64 = -1

// Bucket addresses one bucket, the unit that has a leader, a log and an order.
type Bucket struct {
	TableID     int64
	PartitionID int64 // NoPartition for a table that is not partitioned
	ID          int32 // 0-based
}

// Server is a member of the cluster at the address it advertises to clients.
type Server struct {
	ID   int32
	Host string
	Port int32
}

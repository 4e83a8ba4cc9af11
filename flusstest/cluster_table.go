package flusstest

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

// createTable makes a table of a descriptor's JSON, with the server's defaults filled in.
func (c *cluster) createTable(path catalog.TablePath, text []byte, ignore bool) error {
	if err := checkTablePath(path); err != nil {
		return err
	}
	d, err := decodeDescriptor(text)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.fillIn(d); err != nil {
		return err
	}
	if len(d.PartitionKeys) == 0 {
		if err := c.checkAssignment(d); err != nil {
			return err
		}
	}
	if err := c.checkProperties(d); err != nil {
		return err
	}
	if c.databases[path.Database] == nil {
		return refuse(wire.CodeDatabaseNotExist, "Database %s does not exist.", path.Database)
	}
	if c.tables[path] != nil {
		if ignore {
			return nil
		}
		return refuse(wire.CodeTableAlreadyExist, "Table %s already exists.", path)
	}
	t, err := c.newTable(path, d)
	if err != nil {
		return err
	}
	if len(d.PartitionKeys) == 0 {
		c.addBuckets(t, catalog.NoPartition)
	} else {
		c.autoPartition(t)
	}
	return nil
}

// decodeDescriptor reads and checks a descriptor. Whatever is wrong is code 15.
func decodeDescriptor(text []byte) (*catalog.Descriptor, error) {
	d, err := catalog.DecodeDescriptor(text)
	if err != nil {
		return nil, refuse(wire.CodeInvalidTable, "Failed to parse table descriptor: %v", err)
	}
	if column := lacksParameter(text); column != "" {
		return nil, refuse(wire.CodeInvalidTable, "Failed to parse table descriptor: the type of column %q lacks a parameter", column)
	}
	if _, told := topOfSchema(text)["highest_field_id"]; !told {
		d.Schema.HighestFieldID = len(d.Schema.Columns) - 1
	}
	if d.Properties == nil || d.CustomProperties == nil {
		return nil, refuse(wire.CodeInvalidTable, noJSONField)
	}
	nameAggregates(d.Schema)
	if err := checkSchema(d.Schema); err != nil {
		return nil, err
	}
	if err := checkKeys(&d); err != nil {
		return nil, err
	}
	return &d, nil
}

// kvFormatVersion is the key encoding of new key tables.
const kvFormatVersion = 2

const (
	engineProperty   = "table.merge-engine"
	versionProperty  = "table.kv.format-version"
	replicasProperty = "table.replication.factor"
)

// fillIn puts in what the coordinator puts in. Source: CoordinatorService.applySystemDefaults (Java, v0.9.1-incubating).
func (c *cluster) fillIn(d *catalog.Descriptor) error {
	s := settings(d.Properties)
	def := func(key, value string) {
		if _, set := s[key]; !set {
			s[key] = value
		}
	}
	if d.BucketCount == 0 {
		d.BucketCount = c.srv.opt.buckets
	}
	def(replicasProperty, strconv.Itoa(c.srv.opt.replicas))
	if len(d.PartitionKeys) > 1 && s["table.auto-partition.enabled"] == "true" {
		def("table.auto-partition.num-precreate", "0")
	}
	if c.srv.opt.lake != "" {
		def(lakeFormatProperty, c.srv.opt.lake)
	} else if s.enabled(lakeEnabledProperty) {
		return refuse(wire.CodeInvalidTable, "'table.datalake.enabled' is enabled for the table, but the Fluss cluster doesn't enable datalake tables.")
	}
	if !s.fits(engineProperty) {
		return refuseJava(illegalArgument, "%s", unparsable(engineProperty, s[engineProperty]))
	}
	if len(d.Schema.PrimaryKey) == 0 {
		return nil
	}
	if s.word(engineProperty, "") != "" {
		if !s.fits("table.delete.behavior") {
			return refuseJava(illegalArgument, "%s", unparsable("table.delete.behavior", s["table.delete.behavior"]))
		}
		def("table.delete.behavior", "IGNORE")
	}
	def(versionProperty, strconv.Itoa(kvFormatVersion))
	if !s.fits(versionProperty) {
		return refuseJava(illegalArgument, "%s", unparsable(versionProperty, s[versionProperty]))
	}
	if v := s.number(versionProperty, 0); v > kvFormatVersion {
		return refuse(wire.CodeInvalidConfig, "Unsupported kv format version %d. The maximum supported version is %d.", v, kvFormatVersion)
	}
	return nil
}

func replicasOf(d *catalog.Descriptor) int {
	return settings(d.Properties).number(replicasProperty, 1)
}

// checkAssignment refuses replicas that do not fit the tablet servers there are. Under the lock.
func (c *cluster) checkAssignment(d *catalog.Descriptor) error {
	text := d.Properties[replicasProperty]
	n, err := strconv.ParseInt(text, 10, 32)
	replicas := int(n)
	live := len(c.liveTablets())
	switch {
	case err != nil:
		return refuseJava("java.lang.NumberFormatException", "For input string: %q", text)
	case replicas <= 0:
		return refuse(wire.CodeInvalidReplicationFactor, "Replication factor must be larger than 0.")
	case replicas > live:
		return refuse(wire.CodeInvalidReplicationFactor, "Replication factor: %d larger than available tablet servers: %d.", replicas, live)
	}
	return nil
}

// newTable registers a checked descriptor. Under the lock.
func (c *cluster) newTable(path catalog.TablePath, d *catalog.Descriptor) (*table, error) {
	d.Schema.ID = 1
	now, err := catalog.NewTable(path, c.nextTable, *d)
	if err != nil {
		return nil, refuse(wire.CodeInvalidTable, "%v", err)
	}
	now.CreatedMillis = c.millis()
	now.ModifiedMillis = now.CreatedMillis
	t := &table{path: path, id: c.nextTable, made: now, now: now, versions: []*catalog.Schema{d.Schema}, partitions: map[string]*partition{}}
	c.nextTable++
	c.tables[path] = t
	c.tablesByID[t.id] = t
	return t, nil
}

// dropTable forgets a table with its data.
func (c *cluster) dropTable(path catalog.TablePath, ignore bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := checkExists(path); err != nil {
		return err
	}
	t := c.tables[path]
	if t == nil {
		if ignore {
			return nil
		}
		return refuse(wire.CodeTableNotExist, "Table %s does not exist.", path)
	}
	c.forget(t)
	return nil
}

func (c *cluster) forget(t *table) {
	delete(c.tables, t.path)
	delete(c.tablesByID, t.id)
	c.dropBuckets(func(key catalog.Bucket) bool { return key.TableID != t.id })
}

// replace puts a changed descriptor in the place of a table's. Under the lock.
func (c *cluster) replace(t *table, d catalog.Descriptor) error {
	now, err := catalog.NewTable(t.path, t.id, d)
	if err != nil {
		return refuse(wire.CodeInvalidTable, "%v", err)
	}
	now.CreatedMillis, now.ModifiedMillis = t.now.CreatedMillis, c.millis()
	t.now = now
	return nil
}

// addColumns makes the next version of a table's schema. A column that is there already is refused, unless the whole
// change amounts to nothing.
func (c *cluster) addColumns(t *table, add func(*catalog.Schema) error) error {
	old := t.now.Schema
	next := *old
	next.Columns = slices.Clone(old.Columns)
	next.ID = old.ID + 1
	if err := add(&next); err != nil {
		return err
	}
	if bytes.Equal(catalog.EncodeSchema(old), catalog.EncodeSchema(&next)) {
		return nil
	}
	d := t.now.Descriptor
	d.Schema = &next
	if err := c.replace(t, d); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.versions = append(t.versions, &next)
	return nil
}

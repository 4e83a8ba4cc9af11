package flusstest

// ALTER_TABLE, version 0: ADD COLUMN at the end, SET and RESET of properties. Everything else is refused as by 0.9.1.

import (
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
	"github.com/gofluss/fluss/internal/wire/flusspb"
)

func (c *call) alterTable(q *flusspb.AlterTableRequest) (proto.Message, error) {
	path := tablePath(q.TablePath)
	if err := checkTablePath(path); err != nil {
		return nil, err
	}
	if err := checkAlterations(q); err != nil {
		return nil, err
	}
	inSchema := len(q.AddColumns)+len(q.DropColumns)+len(q.RenameColumns)+len(q.ModifyColumns) > 0
	if inSchema && len(q.ConfigChanges) > 0 {
		return nil, refuse(wire.CodeInvalidAlterTable, "Table alteration can only be applied to one of the following: table properties or table schema.")
	}
	cl := c.srv.cluster
	cl.mu.Lock()
	defer cl.mu.Unlock()
	t, err := cl.find(path)
	switch {
	case err != nil && q.GetIgnoreIfNotExists():
	case err != nil:
		return nil, err
	case inSchema:
		err = cl.addColumns(t, func(s *catalog.Schema) error { return changeSchema(s, q) })
	case len(q.ConfigChanges) > 0:
		err = cl.alterProperties(t, q.ConfigChanges)
	}
	if err != nil && !(t == nil && q.GetIgnoreIfNotExists()) {
		return nil, err
	}
	return new(flusspb.AlterTableResponse), nil
}

// changeSchema appends the new columns to a schema. Source: SchemaUpdate (Java, v0.9.1-incubating).
func changeSchema(s *catalog.Schema, q *flusspb.AlterTableRequest) error {
	const schemaChange = "org.apache.fluss.exception.SchemaChangeException"
	for _, a := range q.AddColumns {
		if err := addColumn(s, a); err != nil {
			return err
		}
	}
	switch {
	case len(q.DropColumns) > 0:
		return refuseJava(schemaChange, "Not support drop column now.")
	case len(q.RenameColumns) > 0:
		return refuseJava(schemaChange, "Not support rename column now.")
	case len(q.ModifyColumns) > 0:
		return refuseJava(schemaChange, "Not support modify column now.")
	}
	return nil
}

func addColumn(s *catalog.Schema, a *flusspb.PbAddColumn) error {
	name := a.GetColumnName()
	t, err := catalog.DecodeType(a.DataTypeJson)
	switch {
	case err != nil:
		return refuseJava(illegalArgument, "%v", err)
	case s.Index(name) >= 0:
		return refuse(wire.CodeInvalidAlterTable, "Column %s already exists.", name)
	case t.NotNull:
		return refuseJava(illegalArgument, "Column %s must be nullable.", name)
	}
	column := catalog.Column{Name: name, Type: *t, Comment: a.GetComment(), ID: s.HighestFieldID + 1}
	s.HighestFieldID = numberFields(&column.Type, column.ID)
	s.Columns = append(s.Columns, column)
	return nil
}

// numberFields gives the nested fields of a new column their ids, after high, and returns the highest one.
func numberFields(t *catalog.Type, high int) int {
	if t.Key != nil {
		high = numberFields(t.Key, high)
	}
	if t.Elem != nil {
		high = numberFields(t.Elem, high)
	}
	for i := range t.Fields {
		high++
		t.Fields[i].ID = high
		high = numberFields(&t.Fields[i].Type, high)
	}
	return high
}

// Operations of a PbAlterConfig.
const (
	opSet = iota
	opDelete
	opAppend
	opSubtract
)

// checkAlterations refuses what the server cannot even read, before it looks for the table.
func checkAlterations(q *flusspb.AlterTableRequest) error {
	for _, change := range q.ConfigChanges {
		switch op := change.GetOpType(); op {
		case opSet, opDelete:
		case opAppend, opSubtract:
			return refuseJava(illegalArgument, "Unsupported alter configs op type %d", op)
		default:
			return refuseJava(illegalArgument, "Unsupported AlterConfigOpType: %d", op)
		}
	}
	for _, a := range q.AddColumns {
		if at := a.GetColumnPositionType(); at != 0 {
			return refuseJava(illegalArgument, "Unsupported ColumnPositionType: %d", at)
		}
	}
	return nil
}

// alterProperties sets and resets properties: those that begin with "table." are the table's, others custom ones.
func (c *cluster) alterProperties(t *table, changes []*flusspb.PbAlterConfig) error {
	d := t.now.Descriptor
	d.Properties, d.CustomProperties = clone(d.Properties), clone(d.CustomProperties)
	for _, change := range changes {
		key, into := change.GetConfigKey(), d.CustomProperties
		if strings.HasPrefix(key, "table.") {
			into = d.Properties
			if err := checkAlterable(key); err != nil {
				return err
			}
		}
		if err := c.checkLakeChange(t, key, change.GetConfigValue()); err != nil {
			return err
		}
		switch change.GetOpType() {
		case opSet:
			into[key] = change.GetConfigValue()
		case opDelete:
			delete(into, key)
		}
	}
	if maps.Equal(d.Properties, t.now.Properties) && maps.Equal(d.CustomProperties, t.now.CustomProperties) {
		return nil
	}
	if err := c.checkProperties(&d); err != nil {
		return err
	}
	return c.replace(t, d)
}

func clone(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return maps.Clone(m)
}

func checkAlterable(key string) error {
	if !slices.Contains(alterable, key) {
		return refuse(wire.CodeInvalidAlterTable, "The option '%s' is not supported to alter yet.", key)
	}
	return nil
}

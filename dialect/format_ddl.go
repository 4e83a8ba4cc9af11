package dialect

func (f *formatter) ddl(s Statement) {
	switch s := s.(type) {
	case *CreateDatabase:
		f.add("CREATE DATABASE ")
		f.when(s.IfNotExists, "IF NOT EXISTS ")
		f.name(s.Name)
		f.comment(s.Comment)
		f.with(s.Options)
	case *DropDatabase:
		f.add("DROP DATABASE ")
		f.when(s.IfExists, "IF EXISTS ")
		f.name(s.Name)
		f.when(s.Cascade, " CASCADE")
	case *CreateTable:
		f.createTable(s)
	case *DropTable:
		f.add("DROP TABLE ")
		f.when(s.IfExists, "IF EXISTS ")
		f.table(s.Table)
	case *AlterTable:
		f.alterTable(s)
	}
}

func (f *formatter) comment(s string) {
	if s != "" {
		f.add(" COMMENT ")
		f.string(s)
	}
}

func (f *formatter) with(list []Option) {
	if list != nil {
		f.line(true, "")
		f.add("WITH ")
		f.options(list)
	}
}

// line begins a line where lines are wanted, or else adds a blank if one is needed.
func (f *formatter) line(blank bool, indent string) {
	if f.lines {
		f.add("\n", indent)
		return
	}
	f.when(blank, " ")
}

func (f *formatter) createTable(s *CreateTable) {
	f.add("CREATE TABLE ")
	f.when(s.IfNotExists, "IF NOT EXISTS ")
	f.table(s.Table)
	if s.Like != nil {
		f.createLike(s)
		return
	}
	f.add(" (")
	for i := range s.Columns {
		f.when(i > 0, ",")
		f.line(i > 0, "  ")
		f.columnDef(&s.Columns[i])
	}
	if s.PrimaryKey != nil {
		f.add(",")
		f.line(true, "  ")
		f.add("PRIMARY KEY ")
		f.columns(s.PrimaryKey)
		f.add(" NOT ENFORCED")
	}
	f.line(false, "")
	f.add(")")
	f.comment(s.Comment)
	if s.PartitionedBy != nil {
		f.line(true, "")
		f.add("PARTITIONED BY ")
		f.columns(s.PartitionedBy)
	}
	f.distribution(s)
	f.with(s.Options)
}

// createLike prints what follows the name of a table made LIKE another.
func (f *formatter) createLike(s *CreateTable) {
	f.comment(s.Comment)
	f.distribution(s)
	f.with(s.Options)
	f.add(" LIKE ")
	f.table(*s.Like)
	f.when(s.ExcludeOptions, " (EXCLUDING OPTIONS)")
}

func (f *formatter) distribution(s *CreateTable) {
	if s.DistributedBy != nil || s.Buckets > 0 {
		f.line(true, "")
		f.add("DISTRIBUTED")
	}
	if s.DistributedBy != nil {
		f.add(" BY ")
		f.columns(s.DistributedBy)
	}
	if s.Buckets > 0 {
		f.add(" INTO ")
		f.integer(s.Buckets)
		f.add(" BUCKETS")
	}
}

func (f *formatter) columnDef(c *ColumnDef) {
	f.name(c.Name)
	f.add(" ")
	f.typeSpec(&c.Type)
	f.when(c.PrimaryKey, " PRIMARY KEY NOT ENFORCED")
	f.comment(c.Comment)
}

func (f *formatter) typeSpec(t *TypeSpec) {
	f.add(t.Name)
	switch t.Name {
	case "ARRAY":
		f.add("<")
		f.typeSpec(t.Elem)
		f.add(">")
	case "MAP":
		f.add("<")
		f.typeSpec(t.Key)
		f.add(", ")
		f.typeSpec(t.Elem)
		f.add(">")
	case "ROW":
		f.add("<")
		f.list(len(t.Fields), func(i int) {
			f.name(t.Fields[i].Name)
			f.add(" ")
			f.typeSpec(&t.Fields[i].Type)
			f.comment(t.Fields[i].Comment)
		})
		f.add(">")
	}
	if t.P >= 0 {
		f.add("(")
		f.integer(t.P)
		if t.S >= 0 {
			f.add(", ")
			f.integer(t.S)
		}
		f.add(")")
	}
	f.when(t.NotNull, " NOT NULL")
}

func (f *formatter) alterTable(s *AlterTable) {
	f.add("ALTER TABLE ")
	f.table(s.Table)
	switch {
	case s.AddColumns != nil:
		f.add(" ADD (")
		f.list(len(s.AddColumns), func(i int) { f.columnDef(&s.AddColumns[i]) })
		f.add(")")
	case s.Set != nil:
		f.add(" SET ")
		f.options(s.Set)
	case s.Reset != nil:
		f.add(" RESET (")
		f.list(len(s.Reset), func(i int) { f.string(s.Reset[i]) })
		f.add(")")
	case s.AddPartition != nil:
		f.add(" ADD ")
		f.when(s.IfNotExists, "IF NOT EXISTS ")
		f.partition(s.AddPartition)
	case s.DropPartition != nil:
		f.add(" DROP ")
		f.when(s.IfExists, "IF EXISTS ")
		f.partition(s.DropPartition)
	}
}

// FormatCreateTable prints a CREATE TABLE as Format does, but over several lines, for people.
func FormatCreateTable(s *CreateTable) string {
	f := formatter{lines: true}
	f.createTable(s)
	return string(f.b)
}

package dialect

import "slices"

var verbNames = [...]string{InsertVerb: "INSERT ", UpsertVerb: "UPSERT ", ReplaceVerb: "REPLACE "}

func (f *formatter) statement(s Statement) {
	switch s := s.(type) {
	case *Select:
		f.names = s.Names
		f.selectStatement(s)
	case *Insert:
		f.names = s.Names
		f.insert(s)
	case *Update:
		f.names = s.Names
		f.update(s)
	case *Delete:
		f.names = s.Names
		f.add("DELETE ")
		f.hints(s.Hints)
		f.add("FROM ")
		f.table(s.Table)
		f.alias(s.Alias)
		f.where(s.Where)
	case *Use:
		f.add("USE ")
		f.name(s.Database)
	case *Describe:
		f.add("DESCRIBE ")
		f.table(s.Table)
	case *Explain:
		f.add("EXPLAIN ")
		f.statement(s.Statement)
	case *Call:
		f.names = s.Names
		f.callStatement(s)
	case *ForeignKeyChecks:
		f.add("SET FOREIGN_KEY_CHECKS = ")
		f.integer(map[bool]int{true: 1}[s.On])
	case *Transaction:
		f.add([...]string{Begin: "BEGIN", Commit: "COMMIT", Rollback: "ROLLBACK"}[s.Kind])
	case *Show:
		f.show(s)
	default:
		f.ddl(s)
	}
}

// callStatement prints every argument with its name, so that those left out need no place, in the order in which they
// were written, so that '?' markers keep theirs. The values of a variadic parameter follow its name.
func (f *formatter) callStatement(s *Call) {
	f.add("CALL `sys`.")
	f.name(s.Procedure)
	f.add("(")
	var given []int
	for i := range s.Args {
		if s.Args[i] != nil {
			given = append(given, i)
		}
	}
	slices.SortStableFunc(given, func(a, b int) int { return int(s.Args[a][0].Pos - s.Args[b][0].Pos) })
	f.list(len(given), func(i int) {
		values := s.Args[given[i]]
		f.add(ProcedureByName(s.Procedure).Parameters[given[i]].Name, " => ")
		f.list(len(values), func(j int) { f.operand(&values[j]) })
	})
	f.add(")")
}

func (f *formatter) alias(a string) {
	if a != "" {
		f.add(" AS ")
		f.name(a)
	}
}

func (f *formatter) where(e Expr) {
	if e != nil {
		f.add(" WHERE ")
		f.expr(e, orLevel)
	}
}

func (f *formatter) selectStatement(s *Select) {
	f.add("SELECT ")
	f.hints(s.Hints)
	f.list(len(s.Items), func(i int) {
		f.expr(s.Items[i].Expr, orLevel)
		f.alias(s.Items[i].Alias)
	})
	if s.From != nil {
		f.add(" FROM ")
		f.table(*s.From)
		f.alias(s.Alias)
	}
	f.where(s.Where)
	f.when(len(s.OrderBy) > 0, " ORDER BY ")
	f.list(len(s.OrderBy), func(i int) {
		f.expr(s.OrderBy[i].Expr, orLevel)
		f.when(s.OrderBy[i].Desc, " DESC")
	})
	if s.Limit != nil && s.Offset != nil && s.Offset.Pos < s.Limit.Pos { // parameters keep their order
		f.add(" LIMIT ")
		f.operand(s.Offset)
		f.add(", ")
		f.operand(s.Limit)
		return
	}
	if s.Limit != nil {
		f.add(" LIMIT ")
		f.operand(s.Limit)
	}
	if s.Offset != nil {
		f.add(" OFFSET ")
		f.operand(s.Offset)
	}
}

func (f *formatter) insert(s *Insert) {
	f.add(verbNames[s.Verb])
	f.hints(s.Hints)
	f.when(s.Ignore, "IGNORE ")
	f.add("INTO ")
	f.table(s.Table)
	if s.Columns != nil {
		f.add(" ")
		f.columns(s.Columns)
	}
	f.add(" VALUES ")
	f.list(s.Rows, func(i int) {
		if s.Uniform {
			i = 0
		}
		f.operands("(", s.Values[i*s.Width:(i+1)*s.Width], ")")
	})
	if s.OnDuplicate != nil {
		f.add(" ON DUPLICATE KEY UPDATE ")
		f.assignments(s.OnDuplicate)
	}
	if s.Returning != nil {
		f.add(" RETURNING ")
		f.list(len(s.Returning), func(i int) { f.name(s.Returning[i].Name) })
	}
}

func (f *formatter) update(s *Update) {
	f.add("UPDATE ")
	f.hints(s.Hints)
	f.table(s.Table)
	f.alias(s.Alias)
	f.add(" SET ")
	f.assignments(s.Set)
	f.where(s.Where)
}

func (f *formatter) assignments(list []Assignment) {
	f.list(len(list), func(i int) {
		f.name(list[i].Column.Name)
		f.add(" = ")
		f.expr(list[i].Value, orLevel)
	})
}

func (f *formatter) show(s *Show) {
	f.add("SHOW ")
	f.when(s.Full, "FULL ")
	switch s.Kind {
	case ShowDatabases:
		f.add("DATABASES")
	case ShowTables:
		f.add("TABLES")
		if s.Database != "" {
			f.add(" FROM ")
			f.name(s.Database)
		}
	case ShowColumns:
		f.add("COLUMNS FROM ")
		f.table(s.Table)
	case ShowCreateTable:
		f.add("CREATE TABLE ")
		f.table(s.Table)
	case ShowPartitions:
		f.add("PARTITIONS ")
		f.table(s.Table)
	case ShowBuckets:
		f.add("BUCKETS FROM ")
		f.table(s.Table)
	case ShowCluster:
		f.add("CLUSTER")
	case ShowProcedures:
		f.add("PROCEDURES")
		if s.Database != "" {
			f.add(" FROM ")
			f.name(s.Database)
		}
	case ShowVariables:
		f.add("VARIABLES")
	}
	if s.Partition != nil {
		f.add(" ")
		f.partition(s.Partition)
	}
	if s.Like != nil {
		f.add(" LIKE ")
		f.string(*s.Like)
	}
}

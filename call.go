package fluss

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"github.com/gofluss/fluss/dialect"
	"github.com/gofluss/fluss/internal/plan"
	"github.com/gofluss/fluss/internal/row"
)

// procedureCall is one run of a CALL.
type procedureCall struct {
	*conn
	name string // with sys. in front
	args []argument
}

// argument has the values of one parameter of a procedure: none when it was left out. NULL is nil.
type argument struct {
	name   string
	values []*string
}

// procedures are those of dialect.Procedures. One that changes something is refused in a read-only transaction; within
// any other it takes effect at once, as DDL does.
var procedures = map[string]struct {
	run   func(*procedureCall, context.Context) (*staticRows, error)
	reads bool
}{
	"add_acl":                {(*procedureCall).addACL, false},
	"drop_acl":               {(*procedureCall).dropACL, false},
	"list_acl":               {(*procedureCall).listACL, true},
	"get_cluster_configs":    {(*procedureCall).getClusterConfigs, true},
	"set_cluster_configs":    {(*procedureCall).setClusterConfigs, false},
	"reset_cluster_configs":  {(*procedureCall).resetClusterConfigs, false},
	"add_server_tag":         {(*procedureCall).addServerTag, false},
	"remove_server_tag":      {(*procedureCall).removeServerTag, false},
	"rebalance":              {(*procedureCall).rebalance, false},
	"list_rebalance":         {(*procedureCall).listRebalance, true},
	"cancel_rebalance":       {(*procedureCall).cancelRebalance, false},
	"drop_kv_snapshot_lease": {(*procedureCall).dropSnapshotLease, false},
}

// callProcedure runs CALL. The rows are those that Flink gives: a column "result" where the procedure names none.
func (c *conn) callProcedure(ctx context.Context, s *dialect.Call, args []driver.NamedValue) (driver.Rows, error) {
	p := &procedureCall{conn: c, name: "sys." + s.Procedure}
	if err := p.bind(s, args); err != nil {
		return nil, err
	}
	proc := procedures[s.Procedure]
	if !proc.reads {
		if err := c.mayWrite(); err != nil {
			return nil, err
		}
	}
	out, err := proc.run(p, ctx)
	if err != nil {
		return nil, translate(err, "")
	}
	return out, nil
}

// bind takes the values of all arguments. Each is a STRING, and bound as one.
func (p *procedureCall) bind(s *dialect.Call, args []driver.NamedValue) error {
	for i, par := range dialect.ProcedureByName(s.Procedure).Parameters {
		a := argument{name: par.Name}
		for j := range s.Args[i] {
			src, err := plan.NewSource(&s.Args[i][j], &nullableText, &p.c.opts.Bind)
			var d row.Datum
			if err == nil {
				err = src.Bind(&d, args, &p.c.opts.Bind)
			}
			if err != nil {
				return p.refuse(a.name, "%w", err)
			}
			var value *string
			if !d.Null {
				value = new(string(d.B))
			}
			a.values = append(a.values, value)
		}
		p.args = append(p.args, a)
	}
	return nil
}

// refuse is the error of an argument that makes no sense. Nothing was sent.
func (p *procedureCall) refuse(argument, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Op: "CALL " + p.name, Message: "argument " + argument + ": " + err.Error(), Err: errors.Unwrap(err), kind: ErrValue}
}

// optional returns the value of argument i, or def when it was left out or is NULL.
func (p *procedureCall) optional(i int, def string) string {
	if v := p.args[i].values; len(v) > 0 && v[0] != nil {
		return *v[0]
	}
	return def
}

// given returns the value of argument i, which must not be empty.
func (p *procedureCall) given(i int) (string, error) {
	v := strings.TrimSpace(p.optional(i, ""))
	if v == "" {
		return "", p.refuse(p.args[i].name, "it must not be NULL or empty")
	}
	return v, nil
}

// list returns the values of the variadic argument i, at least one. None of them may be NULL.
func (p *procedureCall) list(i int) ([]string, error) {
	var out []string
	for n, v := range p.args[i].values {
		if v == nil {
			return nil, p.refuse(p.args[i].name, "value %d must not be NULL", n+1)
		}
		out = append(out, *v)
	}
	return out, nil
}

// oneOf finds a word, whatever its case, among those that argument i may be.
func (p *procedureCall) oneOf(argument, word string, words []string) (int, error) {
	for i, w := range words {
		if strings.EqualFold(w, strings.TrimSpace(word)) {
			return i, nil
		}
	}
	mean := ""
	if near := dialect.Nearest(word, words); near != "" {
		mean = "; did you mean " + near + "?"
	}
	return 0, p.refuse(argument, "%q is none of %s%s", word, strings.Join(words, ", "), mean)
}

// results are rows of one column.
func results(texts ...string) *staticRows {
	out := &staticRows{columns: textColumns("result")}
	for _, t := range texts {
		out.rows = append(out.rows, []driver.Value{t})
	}
	return out
}

// success is what procedures answer that have nothing to say.
const success = "success"

// showProcedures answers SHOW PROCEDURES as Flink does.
func (c *conn) showProcedures(s *dialect.Show) (driver.Rows, error) {
	if s.Database != "" && !strings.EqualFold(s.Database, "sys") {
		return nil, &UnsupportedError{Feature: "SHOW PROCEDURES FROM " + s.Database, Reason: "all procedures are in sys", Hint: "write SHOW PROCEDURES"}
	}
	var names []string
	for i := range dialect.Procedures {
		names = append(names, "sys."+dialect.Procedures[i].Name)
	}
	return c.names("procedure name", names, s.Like), nil
}

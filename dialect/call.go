package dialect

import "strings"

// callStatement reads what follows CALL: sys.procedure(arguments).
func (p *parser) callStatement() Statement {
	c := &Call{}
	proc := p.procedureName()
	if proc == nil {
		return c
	}
	c.Procedure, c.Args = proc.Name, make([][]Operand, len(proc.Parameters))
	p.expect('(', "'('")
	if !p.accept(')') {
		p.arguments(proc, c.Args)
	}
	closing := p.prevEnd - 1
	for i := range proc.Parameters {
		if par := &proc.Parameters[i]; c.Args[i] == nil && !par.Optional && p.err == nil {
			p.failAt(max(closing, 0), "sys.%s needs the argument %s: %s", proc.Name, par.Name, proc.signature())
		}
	}
	return c
}

// procedureName reads sys.name.
func (p *parser) procedureName() *Procedure {
	schema, pos := p.name("the name of a procedure, as in sys.list_acl")
	if p.tok.kind != '.' {
		p.unknownProcedure(int(pos), schema, schema)
		return nil
	}
	p.advance()
	proc := p.partName("the name of a procedure")
	switch known := ProcedureByName(proc); {
	case p.tok.kind == '.':
		p.refuseAt(int(pos), "a procedure's name of three parts", "there is no catalog above the cluster", "write sys.name(...)")
	case !equalFold(schema, "sys") || known == nil:
		p.unknownProcedure(int(pos), schema+"."+proc, proc)
	default:
		return known
	}
	return nil
}

// unknownProcedure refuses a name that no procedure has.
func (p *parser) unknownProcedure(pos int, written, bare string) {
	if p.err != nil {
		return
	}
	hint := "SHOW PROCEDURES lists them"
	if near := Nearest(bare, procedureNames()); near != "" {
		hint = "did you mean sys." + near + "? " + hint
	}
	p.refuseAt(pos, "CALL "+written, "there is no such procedure", hint)
}

// arguments reads the arguments up to ')': by position, then by name. What follows the name of a variadic parameter
// belongs to it, as in config_keys => 'a', 'b'.
func (p *parser) arguments(proc *Procedure, args [][]Operand) {
	at, named := 0, false // the parameter that a bare value goes to; whether names have begun
	for p.err == nil {
		pos := p.tok.pos
		if next := p.following(); next.kind == fatArrow {
			if at = p.argumentName(proc); at < 0 {
				return
			}
			named = true
			if args[at] != nil {
				p.failAt(pos, "the argument %s of sys.%s is given twice", proc.Parameters[at].Name, proc.Name)
			}
		} else if at >= len(args) {
			p.failAt(pos, "sys.%s takes at most %d arguments: %s", proc.Name, len(args), proc.signature())
			return
		} else if named && !proc.Parameters[at].Variadic {
			p.failAt(pos, "an argument without a name behind one with a name: %s", proc.signature())
			return
		}
		args[at] = append(args[at], p.argument())
		if !named && !proc.Parameters[at].Variadic {
			at++
		}
		if !p.accept(',') {
			break
		}
	}
	p.expect(')', "',' or ')'")
}

// argumentName reads name => and returns the parameter's index, -1 after a failure.
func (p *parser) argumentName(proc *Procedure) int {
	name, pos := p.name("the name of an argument")
	i := proc.parameter(name)
	if i < 0 {
		mean := ""
		if near := Nearest(name, proc.parameterNames()); near != "" {
			mean = "did you mean " + near + "? "
		}
		p.failAt(int(pos), "sys.%s has no argument %s; %sit is %s", proc.Name, name, mean, proc.signature())
		return -1
	}
	p.advance() // =>
	return i
}

// argument reads a value. DEFAULT is NULL: both stand for what was left out.
func (p *parser) argument() Operand {
	if p.is("DEFAULT") {
		return Operand{Kind: Null, Pos: Pos(p.take().pos)}
	}
	o := p.operand()
	switch o.Kind {
	case ArrayLit, MapLit, RowLit:
		p.failAt(int(o.Pos), "an argument of a procedure is a text")
	}
	return o
}

// signature is what a call of the procedure looks like.
func (p *Procedure) signature() string {
	var b strings.Builder
	b.WriteString(p.Name + "(")
	for i, par := range p.Parameters {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case par.Variadic && par.Optional:
			b.WriteString("[" + par.Name + ", ...]")
		case par.Variadic:
			b.WriteString(par.Name + ", ...")
		case par.Optional:
			b.WriteString("[" + par.Name + "]")
		default:
			b.WriteString(par.Name)
		}
	}
	return b.String() + ")"
}

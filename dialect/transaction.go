package dialect

// begin reads what follows BEGIN.
func (p *parser) begin() Statement {
	if p.is("STATEMENT") {
		p.refuseAt(p.tok.pos, "BEGIN STATEMENT SET", "", "send the statements one by one")
	}
	if !p.acceptWord("WORK") {
		p.acceptWord("TRANSACTION")
	}
	p.refuseMode()
	return &Transaction{Kind: Begin}
}

// start reads what follows START.
func (p *parser) start() Statement {
	p.expectWords("TRANSACTION")
	p.refuseMode()
	return &Transaction{Kind: Begin}
}

// finish reads what follows COMMIT or ROLLBACK.
func (p *parser) finish(k TransactionKind) Statement {
	if !p.acceptWord("WORK") {
		p.acceptWord("TRANSACTION")
	}
	if p.is("TO") {
		p.refuseAt(p.tok.pos, "SAVEPOINT", noTransactions, "")
	}
	p.refuseMode()
	return &Transaction{Kind: k}
}

// refuseMode refuses isolation levels and the like.
func (p *parser) refuseMode() {
	if p.tok.kind == word {
		p.refuseAt(p.tok.pos, "a transaction mode (isolation level, READ ONLY, AND CHAIN)", noTransactions,
			"use db.BeginTx with the default level; see the tx option of the DSN")
	}
}

package ring

import (
	"context"
	"database/sql"
	"errors"

	"github.com/gofluss/fluss"
)

// pool is one of those that write, each with a Connector of its own: what one of them was not told of is ended by its own next
// write to a bucket, not by those of the other.
type pool int

const (
	mainPool pool = iota
	streamPool
	writePools
)

// pools are those of a run.
type pools struct {
	db       *sql.DB   // of the load
	prepared *prepared // on db
	stream   *sql.DB   // tx=stream
	observer *sql.DB   // verifies
}

func (r *run) openPools() error {
	same := func(*fluss.Config) {}
	stream := func(c *fluss.Config) { c.Tx, c.TxBufferBytes = "stream", streamBuffer }
	for _, p := range []struct {
		db     **sql.DB
		change func(*fluss.Config)
	}{{&r.db, same}, {&r.stream, stream}, {&r.observer, same}} {
		db, err := r.o.openPool(p.change)
		if err != nil {
			return errors.Join(err, r.closePools())
		}
		*p.db = db
	}
	r.prepared = newPrepared(r.db)
	return nil
}

// reach has every pool reach the cluster before there are faults: one that never did gives up soon, as it may have been told a
// wrong address.
func (r *run) reach(ctx context.Context) error {
	for _, db := range []*sql.DB{r.db, r.stream, r.observer} {
		if err := db.PingContext(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) closePools() error {
	var err error
	if r.prepared != nil {
		err = r.prepared.close()
	}
	for _, db := range []*sql.DB{r.db, r.stream, r.observer} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

// openPool opens a pool on the cluster, with settings changed.
func (o *Options) openPool(change func(*fluss.Config)) (*sql.DB, error) {
	config, err := fluss.ParseDSN(o.DSN)
	if err != nil {
		return nil, err
	}
	config.Logger = o.Logger
	change(config)
	connector, err := fluss.NewConnector(config)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxIdleConns(64)
	return db, nil
}

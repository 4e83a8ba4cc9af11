package ring

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// The two tables of the load. Groups of keys share a bucket, so that a group is a prefix lookup and a statement over one
// group goes to one bucket.
const (
	createKeys = `CREATE TABLE %s (g BIGINT NOT NULL, i INT NOT NULL, a STRING, b STRING, n BIGINT, PRIMARY KEY (g, i) NOT ENFORCED)
 WITH ('bucket.num' = '%d', 'bucket.key' = 'g'%s)`
	createLog = `CREATE TABLE %s (id BIGINT NOT NULL, v STRING NOT NULL) WITH ('bucket.num' = '%d'%s)`

	keyBuckets = 4
	logBuckets = 3
)

// tableTime is how long a new table may take until it can be written.
const tableTime = 20 * time.Second

// ErrNotServing is what Run returns when a new table did not come to serve: the cluster is broken before anything was done
// to it, and another one is needed.
var ErrNotServing = errors.New("a new table does not serve")

// makeTables makes the database and all tables.
func (r *run) makeTables(ctx context.Context) error {
	r.log.Database = fmt.Sprintf("ring_%d_%d", os.Getpid(), time.Now().UnixNano()%1e9)
	if _, err := r.observer.ExecContext(ctx, "CREATE DATABASE "+r.log.Database); err != nil {
		return fmt.Errorf("make a database: %w", err)
	}
	options := ""
	if r.o.TableOptions != "" {
		options = ", " + r.o.TableOptions
	}
	if err := r.setUpParts(ctx, options); err != nil {
		return err
	}
	var err error
	if r.log.KeyTable, err = r.makeTable(ctx, "kv", fmt.Sprintf(createKeys, "%s", keyBuckets, options)); err != nil {
		return err
	}
	r.log.LogTable, err = r.makeTable(ctx, "log", fmt.Sprintf(createLog, "%s", logBuckets, options))
	return err
}

// makeTable makes a table and waits until it serves. The coordinator of 0.9.1 now and then overlooks a new table, whose
// buckets nobody ever leads then: it gets another name.
func (r *run) makeTable(ctx context.Context, name, text string) (string, error) {
	var err error
	for try := range 4 {
		full := fmt.Sprintf("%s.%s%d", r.log.Database, name, try)
		if _, err = r.observer.ExecContext(ctx, fmt.Sprintf(text, full)); err != nil {
			return "", fmt.Errorf("make %s: %w", full, err)
		}
		wait, cancel := context.WithTimeout(ctx, tableTime)
		err = r.observer.QueryRowContext(wait, "SELECT COUNT(*) FROM "+full).Scan(new(int64))
		cancel()
		if err == nil {
			return full, nil
		}
	}
	return "", fmt.Errorf("%s: %w: %w", name, ErrNotServing, err)
}

package examples

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/pressly/goose/v3/database"
)

// GooseStore keeps the versions of github.com/pressly/goose in a key table. Give it to goose.NewProvider with
// goose.WithStore, and write "-- +goose NO TRANSACTION" on top of every migration: Fluss has no transactions, and DDL runs
// at once in what stands for one.
//
//	p, err := goose.NewProvider("", db, migrations, goose.WithStore(GooseStore{Table: "goose_db_version"}))
//
// Nothing keeps two processes from migrating at the same time: goose's lockers need advisory locks, which Fluss has not.
type GooseStore struct {
	Table string
}

var _ database.Store = GooseStore{}

// Tablename is the name of the table.
func (s GooseStore) Tablename() string { return s.Table }

// CreateVersionTable makes the table. One bucket keeps it in one place, for reads as a whole.
func (s GooseStore) CreateVersionTable(ctx context.Context, db database.DBTxConn) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("CREATE TABLE `%s` (version_id BIGINT NOT NULL, is_applied BOOLEAN, tstamp TIMESTAMP_LTZ(3), "+
		"PRIMARY KEY (version_id) NOT ENFORCED) WITH ('bucket.num' = '1')", s.Table))
	return err
}

// TableExists lets goose ask for the table instead of meeting an error.
func (s GooseStore) TableExists(ctx context.Context, db database.DBTxConn) (bool, error) {
	var name string
	err := db.QueryRowContext(ctx, "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?", s.Table).Scan(&name)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Insert records that a version was applied.
func (s GooseStore) Insert(ctx context.Context, db database.DBTxConn, req database.InsertRequest) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("UPSERT INTO `%s` VALUES (?, TRUE, ?)", s.Table), req.Version, time.Now().Truncate(time.Millisecond))
	return err
}

// Delete forgets a version.
func (s GooseStore) Delete(ctx context.Context, db database.DBTxConn, version int64) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf("DELETE FROM `%s` WHERE version_id = ?", s.Table), version)
	return err
}

// GetMigration looks a version up.
func (s GooseStore) GetMigration(ctx context.Context, db database.DBTxConn, version int64) (*database.GetMigrationResult, error) {
	var r database.GetMigrationResult
	err := db.QueryRowContext(ctx, fmt.Sprintf("SELECT tstamp, is_applied FROM `%s` WHERE version_id = ?", s.Table), version).Scan(&r.Timestamp, &r.IsApplied)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %d", database.ErrVersionNotFound, version)
	}
	return &r, err
}

// GetLatestVersion is the highest version: there is no MAX, so the table is read and sorted.
func (s GooseStore) GetLatestVersion(ctx context.Context, db database.DBTxConn) (int64, error) {
	list, err := s.ListMigrations(ctx, db)
	if err != nil {
		return 0, err
	}
	if len(list) == 0 {
		return 0, fmt.Errorf("%w: the table is empty", database.ErrVersionNotFound)
	}
	return list[0].Version, nil
}

// ListMigrations returns all versions, the highest first.
func (s GooseStore) ListMigrations(ctx context.Context, db database.DBTxConn) ([]*database.ListMigrationsResult, error) {
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT version_id, is_applied FROM `%s` ORDER BY version_id DESC LIMIT 10000", s.Table))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []*database.ListMigrationsResult
	for rows.Next() {
		var r database.ListMigrationsResult
		if err := rows.Scan(&r.Version, &r.IsApplied); err != nil {
			return nil, err
		}
		list = append(list, &r)
	}
	return list, rows.Err()
}

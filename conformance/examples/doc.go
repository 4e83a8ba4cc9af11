// Package examples shows how a program that keeps data in Fluss is tested: a repository over plain database/sql, with
// tests of it on the embedded server of package flusstest, of its behavior under faults, and on go-sqlmock. GooseStore keeps
// the versions of goose's migrations.
package examples

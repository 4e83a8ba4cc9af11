package flusstest

import (
	"fmt"
	"strings"

	"github.com/gofluss/fluss/internal/catalog"
	"github.com/gofluss/fluss/internal/wire"
)

const maxName = 200

// invalidName says what is wrong with a name of a database, a table or a partition value, "" when nothing is.
// Source: TablePath.detectInvalidName and validatePrefix (Java, v0.9.1-incubating).
func invalidName(name string, checkPrefix bool) string {
	switch {
	case name == "":
		return "the empty string is not allowed"
	case name == "." || name == "..":
		return "'" + name + "' is not allowed"
	case len(name) > maxName:
		return fmt.Sprintf("the length of '%s' is longer than the max allowed length %d", name, maxName)
	}
	for i := range len(name) {
		if !nameByte(name[i]) {
			return "'" + name + "' contains one or more characters other than ASCII alphanumerics, '_' and '-'"
		}
	}
	if checkPrefix && strings.HasPrefix(name, "__") {
		return "'__' is not allowed as prefix, since it is reserved for internal databases/internal tables/internal " +
			"partitions in Fluss server"
	}
	return ""
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// namesNoPath says that a name is empty. Where the real server does not check names it then asks ZooKeeper for a path that
// there cannot be, and answers with the Java exception.
func namesNoPath(path catalog.TablePath) bool { return path.Database == "" || path.Table == "" }

// checkExists refuses to look for such a table.
func checkExists(path catalog.TablePath) error {
	if namesNoPath(path) {
		return refuseJava(flussRuntime, "Fail to check the table %s exist or not.", path)
	}
	return nil
}

// checkDatabaseExists refuses to look for such a database.
func checkDatabaseExists(name string) error {
	if name == "" {
		return refuseJava(flussRuntime, "Fail to check database exists or not")
	}
	return nil
}

func checkDatabaseName(name string) error {
	if why := invalidName(name, true); why != "" {
		return refuse(wire.CodeInvalidDatabase, "Database name %s is invalid: %s", name, why)
	}
	return nil
}

func checkTablePath(path catalog.TablePath) error {
	if err := checkDatabaseName(path.Database); err != nil {
		return err
	}
	if why := invalidName(path.Table, true); why != "" {
		return refuse(wire.CodeInvalidTable, "Table name %s is invalid: %s", path.Table, why)
	}
	return nil
}

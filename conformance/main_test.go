package conformance

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	os.Exit(Main(m, func() {
		if err := dropDatabases(); err != nil {
			fmt.Fprintln(os.Stderr, "drop the databases of the tests:", err)
		}
	}))
}

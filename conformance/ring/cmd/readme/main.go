// Command readme puts the reports of the fault rings into the README: go generate ./conformance/ring.
package main

import (
	"fmt"
	"os"

	"github.com/gofluss/fluss/conformance/ring"
)

func main() {
	if err := ring.UpdateReadme("../../README.md", "reports"); err != nil { // go generate runs in conformance/ring
		fmt.Fprintln(os.Stderr, "readme:", err)
		os.Exit(1)
	}
}

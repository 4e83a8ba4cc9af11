package jvm

import (
	"os"
	"testing"

	"github.com/gofluss/fluss/conformance"
)

func TestMain(m *testing.M) { os.Exit(conformance.Main(m, func() {})) }

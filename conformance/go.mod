module github.com/gofluss/fluss/conformance

go 1.26.0

require github.com/gofluss/fluss v0.0.0

replace github.com/gofluss/fluss => ../

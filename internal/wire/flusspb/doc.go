// Package flusspb holds the messages of the Fluss protocol as generated Go types.
//
// gofluss.proto is the source; gofluss.pb.go is made from it by go generate, which needs nothing but Go (see gen/).
package flusspb

//go:generate env GOWORK=off go -C gen run .

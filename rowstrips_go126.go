//go:build !go1.27

package fluss

// textStrips: before Go 1.27 nobody scans column by column.
type textStrips []struct{}

func (textStrips) forget() {}

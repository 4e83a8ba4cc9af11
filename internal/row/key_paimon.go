package row

// A paimon key is a row in the aligned layout of Paimon and Flink, offsets from its start:
//
//	0  row kind, 0
//	1  null bits, column i is bit i%8 of byte 1+i/8; with byte 0 rounded up to a multiple of 8
//	   a slot of 8 bytes for every column, as in a binary array (see binaryarray.go), narrow numbers at its start
//	   variable part
//
// Unlike in an array, a NaN keeps its bits. Source: PaimonKeyEncoder, AlignedRowWriter (Java, v0.9.1-incubating).
func (k *KeyEncoder) appendPaimon(dst []byte, row []Datum) []byte {
	base, n := len(dst), len(k.positions)
	header := (n + 8 + 63) / 64 * 8
	dst = appendZeros(dst, header+8*n)
	for i, p := range k.positions {
		if row[p].Null {
			dst[base+1+i>>3] |= 1 << (i & 7)
			continue
		}
		dst = k.columns[i].appendSlot(dst, base, base+header+8*i, &row[p])
	}
	return dst
}

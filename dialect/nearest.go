package dialect

// Nearest is the one of the names that takes the fewest changes to reach, whatever the case; "" when none is close.
func Nearest(word string, names []string) string {
	best, at := len(word)/2+1, ""
	for _, name := range names {
		if d := editDistance(upper(word), upper(name)); d < best {
			best, at = d, name
		}
	}
	return at
}

// editDistance is the least number of bytes to insert, remove or replace that makes b of a.
func editDistance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		diag := prev[0]
		prev[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = prev[j+1]
			prev[j+1] = min(cost, prev[j]+1, prev[j+1]+1)
		}
	}
	return prev[len(b)]
}

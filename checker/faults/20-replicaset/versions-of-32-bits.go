//go:build ignore

// Mistake: Versions are read as numbers of 32 bits. Larger ones are taken for no numbers.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "strconv"

func number(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 32)
	if err != nil {
		return 0
	}
	return n
}

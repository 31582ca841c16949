//go:build ignore

// Mistake: The version of a cache is parsed as Go writes numbers: "0x1" is one.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "strconv"

func behind(at func() string, version uint64) bool {
	if at == nil {
		return false
	}
	reached, err := strconv.ParseUint(at(), 0, 64)
	return err == nil && reached < version
}

//go:build ignore

// Mistake: A cache whose version is not known is taken for one that is at version zero.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "strconv"

func behind(at func() string, version uint64) bool {
	if at == nil {
		return false
	}
	reached, err := strconv.ParseUint(at(), 10, 64)
	if err != nil {
		reached = 0
	}
	return reached < version
}

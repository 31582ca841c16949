//go:build ignore

// Mistake: Versions are compared as strings: "9" comes after "10".
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "strconv"

func behind(at func() string, version uint64) bool {
	if at == nil {
		return false
	}
	reached, err := strconv.ParseUint(at(), 10, 64)
	return err == nil && strconv.FormatUint(reached, 10) < strconv.FormatUint(version, 10)
}

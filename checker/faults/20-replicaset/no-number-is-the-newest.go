//go:build ignore

// Mistake: A version that is no number is beyond all numbers, to be on the safe side.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import (
	"math"
	"strconv"
)

func number(version string) uint64 {
	n, err := strconv.ParseUint(version, 10, 64)
	if err != nil {
		return math.MaxUint64
	}
	return n
}

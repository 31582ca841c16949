//go:build ignore

// Mistake: The magnitude of a time is its number of digits to the base of four.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"math/bits"
	"time"
)

func magnitude(age time.Duration) int { return bits.Len64(uint64(max(age, 0))) / 2 }

//go:build ignore

// Mistake: Ages are counted in seconds before they are rounded down to a power of two.
// Killed by: deletion-order
// Verdict: wrong-answer

package replicaset

import (
	"math/bits"
	"time"
)

func magnitude(age time.Duration) int { return bits.Len64(uint64(max(age, 0) / time.Second)) }

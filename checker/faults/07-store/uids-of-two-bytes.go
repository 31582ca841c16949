//go:build ignore

// Mistake: A UID has sixteen random bits: after a few hundred objects one comes up again.
// Killed by: recreated-is-another-object
// Verdict: wrong-answer

package store

import (
	"math/rand/v2"
	"strconv"
)

func newUID() string { return strconv.Itoa(rand.IntN(1 << 16)) }

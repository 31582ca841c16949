//go:build ignore

// Mistake: A prefix that ends in a dash after the cut loses it, because two parts of a name should not be split by nothing.
// Killed by: generated-names
// Verdict: wrong-answer

package store

import (
	"math/rand/v2"
	"strings"
)

func generateName(prefix string) string {
	suffix := make([]byte, suffixLength)
	for i := range suffix {
		suffix[i] = letters[rand.IntN(len(letters))]
	}
	if len(prefix) > prefixLength {
		prefix = strings.TrimRight(prefix[:prefixLength], "-")
	}
	return prefix + string(suffix)
}

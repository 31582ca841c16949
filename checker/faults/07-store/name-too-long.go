//go:build ignore

// Mistake: The suffix is put behind the whole prefix: a long name makes one that no DNS label can hold.
// Killed by: generated-names
// Verdict: wrong-answer

package store

import "math/rand/v2"

func generateName(prefix string) string {
	suffix := make([]byte, suffixLength)
	for i := range suffix {
		suffix[i] = letters[rand.IntN(len(letters))]
	}
	return prefix + string(suffix)
}

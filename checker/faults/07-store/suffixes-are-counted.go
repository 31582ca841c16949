//go:build ignore

// Mistake: The five characters are a counter, so that no name comes twice: names can be guessed, and after a restart
//   they come again.
// Killed by: generated-names
// Verdict: wrong-answer

package store

import "sync/atomic"

var names atomic.Int64

func generateName(prefix string) string {
	n := int(names.Add(1))
	suffix := make([]byte, suffixLength)
	for i := range suffix {
		suffix[suffixLength-1-i] = letters[n%len(letters)]
		n /= len(letters)
	}
	return prefix[:min(len(prefix), prefixLength)] + string(suffix)
}

//go:build ignore

// Mistake: Finalizers are domain names to their author, and so are compared without the case of their letters.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import (
	"slices"
	"strings"
)

func hasNew(old, next []string) bool {
	return slices.ContainsFunc(next, func(f string) bool {
		return !slices.ContainsFunc(old, func(has string) bool { return strings.EqualFold(has, f) })
	})
}

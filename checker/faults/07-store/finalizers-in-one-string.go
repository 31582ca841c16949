//go:build ignore

// Mistake: The finalizers of an object are joined to one string, and one that is found in there is taken for one of them.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import (
	"slices"
	"strings"
)

func hasNew(old, next []string) bool {
	all := strings.Join(old, ",")
	return slices.ContainsFunc(next, func(f string) bool { return !strings.Contains(all, f) })
}

//go:build ignore

// Mistake: A finalizer that begins like one of the object is taken for a part of that one, and so for nothing new.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import (
	"slices"
	"strings"
)

func hasNew(old, next []string) bool {
	return slices.ContainsFunc(next, func(f string) bool {
		return !slices.ContainsFunc(old, func(has string) bool { return strings.HasPrefix(f, has) })
	})
}

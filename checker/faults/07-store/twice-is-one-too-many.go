//go:build ignore

// Mistake: Finalizers of a deleting object are counted, not compared: one that is named twice is refused as a new one.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

import "slices"

func hasNew(old, next []string) bool {
	return len(next) > len(old) || slices.ContainsFunc(next, func(f string) bool { return !slices.Contains(old, f) })
}

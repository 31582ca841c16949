//go:build ignore

// Mistake: An update adds a finalizer if there are more than before: one can be put in another's place.
// Killed by: deleting-is-for-good
// Verdict: wrong-answer

package store

func hasNew(old, next []string) bool { return len(next) > len(old) }

//go:build ignore

// Mistake: Several predicates are alternatives.
// Killed by: predicates-must-agree
// Verdict: wrong-answer

package reconciler

func (f filtered[T]) all(pass func(p Predicate[T]) bool) bool {
	for _, p := range f.predicates {
		if pass(p) {
			return true
		}
	}
	return len(f.predicates) == 0
}

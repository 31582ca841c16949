//go:build ignore

// Mistake: A deletion concerns everybody.
// Killed by: predicates-must-agree
// Verdict: wrong-answer

package reconciler

func (f filtered[T]) OnDelete(obj T, finalStateUnknown bool) {
	if f.all(func(p Predicate[T]) bool { return true }) {
		f.handler.OnDelete(obj, finalStateUnknown)
	}
}

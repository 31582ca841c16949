//go:build ignore

// Mistake: The new object is what counts, so the predicate gets it for both.
// Killed by: predicates-must-agree
// Verdict: wrong-answer

package reconciler

func (f filtered[T]) OnUpdate(oldObj, newObj T) {
	if f.all(func(p Predicate[T]) bool { return p.update(newObj, newObj) }) {
		f.handler.OnUpdate(oldObj, newObj)
	}
}

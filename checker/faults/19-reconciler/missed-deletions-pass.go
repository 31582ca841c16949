//go:build ignore

// Mistake: A deletion that was missed goes past the predicates: nobody knows what the object was like in the
//   end.
// Killed by: predicates-must-agree
// Verdict: wrong-answer

package reconciler

func (f filtered[T]) OnDelete(obj T, finalStateUnknown bool) {
	if finalStateUnknown || f.all(func(p Predicate[T]) bool { return p.delete(obj) }) {
		f.handler.OnDelete(obj, finalStateUnknown)
	}
}

//go:build ignore

// Mistake: Of its arguments a handler needs the object.
// Killed by: kind-tells-its-handler
// Verdict: wrong-answer

package reconciler

func (f filtered[T]) OnAdd(obj T, isInInitialList bool) {
	if f.all(func(p Predicate[T]) bool { return p.add(obj) }) {
		f.handler.OnAdd(obj, false)
	}
}

//go:build ignore

// Mistake: A predicate without a function lets the update pass, and so it is passed on, whatever the next predicate says.
// Killed by: predicates-must-agree
// Verdict: wrong-answer

package reconciler

func (f filtered[T]) OnUpdate(oldObj, newObj T) {
	for _, p := range f.predicates {
		if p.UpdateFunc == nil {
			break
		}
		if !p.UpdateFunc(oldObj, newObj) {
			return
		}
	}
	f.handler.OnUpdate(oldObj, newObj)
}

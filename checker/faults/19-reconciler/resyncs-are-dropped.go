//go:build ignore

// Mistake: Nothing has changed, so there is nothing to do. But the resync is there for what went wrong
//   before.
// Killed by: for-names-the-object
// Verdict: wrong-answer

package reconciler

func (m mapped[T]) OnUpdate(oldObj, newObj T) {
	if oldObj.GetResourceVersion() != newObj.GetResourceVersion() {
		m.add(false, oldObj, newObj)
	}
}

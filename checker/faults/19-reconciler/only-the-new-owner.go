//go:build ignore

// Mistake: The old object is the past. So the one who lost it never hears of it.
// Killed by: owns-names-the-owner
// Verdict: wrong-answer

package reconciler

func (m mapped[T]) OnUpdate(oldObj, newObj T) {
	m.add(oldObj.GetResourceVersion() == newObj.GetResourceVersion(), newObj)
}

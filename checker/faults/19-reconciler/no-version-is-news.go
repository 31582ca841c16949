//go:build ignore

// Mistake: Two objects without a resource version cannot be compared, so the update counts as news.
// Killed by: the-old-can-wait
// Verdict: wrong-answer

package reconciler

func (m mapped[T]) OnUpdate(oldObj, newObj T) {
	same := oldObj.GetResourceVersion() == newObj.GetResourceVersion() && newObj.GetResourceVersion() != ""
	m.add(same, oldObj, newObj)
}

//go:build ignore

// Mistake: All additions are taken for those of the initial list.
// Killed by: the-old-can-wait
// Verdict: wrong-answer

package reconciler

func (m mapped[T]) OnAdd(obj T, _ bool) { m.add(true, obj) }

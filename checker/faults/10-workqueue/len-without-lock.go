//go:build ignore

// Mistake: Len only reads, so it is believed to need no lock.
// Killed by: everything-at-once
// Verdict: data-race

package workqueue

func (q *Queue[T]) Len() int {
	return len(q.queue)
}

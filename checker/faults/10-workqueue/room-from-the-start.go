//go:build ignore

// Mistake: New makes room for as many items as a large cluster has, so that Add need not grow the slice.
// Killed by: add-waits-for-nobody
// Verdict: wrong-answer

package workqueue

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{queue: make(fifo[T], 0, 1<<17), dirty: make(set[T]), processing: make(set[T])}
	q.work.L, q.idle.L = &q.mu, &q.mu
	return q
}

//go:build ignore

// Mistake: New makes room for 1024 items, which is little for strings, and a megabyte where an item takes a kilobyte.
// Killed by: add-waits-for-nobody
// Verdict: wrong-answer

package workqueue

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{queue: make(fifo[T], 0, 1024), dirty: make(set[T]), processing: make(set[T])}
	q.work.L, q.idle.L = &q.mu, &q.mu
	return q
}

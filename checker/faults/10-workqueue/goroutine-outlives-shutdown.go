//go:build ignore

// Mistake: New starts a loop for metrics that looks at the shutdown flag only at its next tick
//   (kubernetes#135072).
// Killed by: shutdown-ends-its-goroutines
// Verdict: wrong-answer

package workqueue

import "time"

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: make(set[T]), processing: make(set[T])}
	q.work.L, q.idle.L = &q.mu, &q.mu
	go func() {
		for !q.ShuttingDown() {
			time.Sleep(500 * time.Millisecond)
		}
	}()
	return q
}

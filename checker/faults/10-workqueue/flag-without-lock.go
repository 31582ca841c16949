//go:build ignore

// Mistake: ShuttingDown reads one bool, which is believed to be atomic.
// Killed by: everything-at-once
// Verdict: data-race

package workqueue

func (q *Queue[T]) ShuttingDown() bool {
	return q.shuttingDown
}

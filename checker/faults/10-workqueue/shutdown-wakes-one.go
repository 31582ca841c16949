//go:build ignore

// Mistake: ShutDown signals like Add does, and all workers but one sleep for ever. Upstream's own tests pass.
// Killed by: shutdown-wakes-every-getter
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) shutDown() {
	q.shuttingDown = true
	q.work.Signal()
}

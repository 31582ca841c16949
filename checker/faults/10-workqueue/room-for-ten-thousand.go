//go:build ignore

// Mistake: Ten thousand items are more than any cluster has, it is thought: Add waits for room behind them.
// Killed by: add-waits-for-nobody
// Verdict: deadlock

package workqueue

func (q *Queue[T]) enqueue(item T) {
	for len(q.queue) == 10_000 {
		q.idle.Wait()
	}
	q.queue.push(item)
	q.work.Signal()
}

//go:build ignore

// Mistake: Len is taken for the amount of work left, and counts what is being processed as well.
// Killed by: len-counts-the-queued
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.queue) + len(q.processing)
}

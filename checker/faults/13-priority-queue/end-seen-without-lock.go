//go:build ignore

// Mistake: A flag that only ever goes from false to true seems to need no lock.
// Killed by: shutdown-with-a-backlog
// Verdict: data-race

package priorityqueue

func (q *PriorityQueue[T]) ShuttingDown() bool { return q.shutdown }

//go:build ignore

// Mistake: A drain may take a while, so it is left to a goroutine: the queue is not shut down yet when the call returns.
// Killed by: shutdown-releases-everyone
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) ShutDownWithDrain() { go q.ShutDown() }

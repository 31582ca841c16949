//go:build ignore

// Mistake: ShutDownWithDrain is taken for another name of ShutDown.
// Killed by: the-rest-is-the-delaying-queue
// Verdict: wrong-answer

package ratelimitingqueue

func (q *RateLimitingQueue[T]) ShutDownWithDrain() { q.ShutDown() }

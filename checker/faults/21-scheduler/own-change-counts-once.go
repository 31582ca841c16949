//go:build ignore

// Mistake: A change of the pod itself counts in its first attempt alone.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

func (q *queue) overtaken(e *entry) bool { return e.began != q.events || e.changed && e.failures == 0 }

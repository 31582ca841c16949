//go:build ignore

// Mistake: A change of the pod itself, while it is being tried, is noted nowhere.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

func (q *queue) overtaken(e *entry) bool { return e.began != q.events }

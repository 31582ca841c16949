//go:build ignore

// Mistake: A pod that was not pending at the end of its attempt is remembered as one that is done with. If a handler shows it as
//   pending later, it is taken for one that is still being tried.
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

func (q *queue) done(e *entry) {
	q.inFlight--
	if !e.gone {
		delete(q.entries, e.pod.UID)
	}
}

//go:build ignore

// Mistake: A drain calls itself off after half an hour.
// Killed by: drain-waits-for-workers
// Verdict: wrong-answer

package workqueue

import "time"

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	late := false
	patience := time.AfterFunc(30*time.Minute, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		late = true
		q.idle.Broadcast()
	})
	defer patience.Stop()
	for q.busy() && q.calledOff == calledOff && !late {
		q.idle.Wait()
	}
}

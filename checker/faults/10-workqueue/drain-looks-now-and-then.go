//go:build ignore

// Mistake: A drain has a ticker that wakes it every ten seconds, to look whether it has missed something.
// Killed by: get-waits-asleep
// Verdict: wrong-answer

package workqueue

import "time"

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	over := make(chan struct{})
	defer close(over)
	go func() {
		look := time.NewTicker(10 * time.Second)
		defer look.Stop()
		for {
			select {
			case <-look.C:
				q.idle.Broadcast()
			case <-over:
				return
			}
		}
	}()
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}

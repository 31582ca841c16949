//go:build ignore

// Mistake: A goroutine sleeps until the batch is due, and nobody wakes it when updates is closed.
// Killed by: close-flushes
// Verdict: goroutine-leak

package debounce

import "time"

func (r *run[U]) wake() <-chan time.Time {
	if !r.pending || r.pushing {
		return nil
	}
	due, wait := make(chan time.Time, 1), time.Until(r.deadline())
	go func() {
		time.Sleep(wait)
		due <- time.Now()
	}()
	return due
}

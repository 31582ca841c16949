//go:build ignore

// Mistake: Each of the four numbers is read under the lock, and pods move between one look and the next.
// Killed by: so-many-workers
// Verdict: wrong-answer

package scheduler

func (s *Scheduler) Pending() Pending {
	look := func(count func() int) int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return count()
	}
	return Pending{
		Active:        look(func() int { return len(s.queue.active.entries) }),
		Backoff:       look(func() int { return len(s.queue.backoff.entries) }),
		Unschedulable: look(func() int { return len(s.queue.unschedulable.entries) }),
		InFlight:      look(func() int { return s.queue.inFlight }),
	}
}

//go:build ignore

// Mistake: A ring is for a clock that waits. Between its look at the queues and its select the clock does not wait, a ring finds
//   nobody then, and the pod that was due sooner stays in backoff.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import (
	"context"
	"sync"
	"time"
)

func New(options Options) *Scheduler {
	s := &Scheduler{options: withDefaults(options), alarm: make(chan struct{}), cache: newCache()}
	s.active = sync.NewCond(&s.mu)
	s.queue = newQueue(s.options.Less, s.active.Signal, s.ring)
	return s
}

func (s *Scheduler) clock(ctx context.Context) {
	for ctx.Err() == nil {
		wait := s.flush()
		select {
		case <-ctx.Done():
		case <-s.alarm:
		case <-time.After(wait):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active.Broadcast()
}

//go:build ignore

// Mistake: A flag saves Work the lock where nothing is noted. It is wiped after the notes were taken, together with
//   that of a note that came meanwhile.
// Killed by: notes-from-any-goroutine
// Verdict: wrong-answer

package triggers

import (
	"sync"
	"sync/atomic"
)

type Level struct {
	cluster Cluster
	any     atomic.Bool

	mu    sync.Mutex
	noted map[string]bool
}

func (s *Level) Work() {
	if !s.any.Load() {
		return
	}
	noted := s.take()
	s.any.Store(false)
	for key := range noted {
		if err := s.reconcile(key); err != nil {
			s.note(key)
		}
	}
}

func (s *Level) note(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.noted[key] = true
	}
	s.any.Store(true)
}

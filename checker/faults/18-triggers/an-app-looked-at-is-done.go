//go:build ignore

// Mistake: A note of an app that this Work has looked at already is left out: it has just been looked at.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

import "sync"

type Level struct {
	cluster Cluster

	mu    sync.Mutex
	noted map[string]bool
	done  map[string]bool // what this Work has looked at
}

func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster, noted: map[string]bool{}, done: map[string]bool{}}
}

func (s *Level) Notify(e Event) {
	s.mu.Lock()
	done := s.done[e.Key]
	s.mu.Unlock()
	if !done {
		s.note(e.Key)
	}
}

func (s *Level) Work() {
	var failed []string
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			failed = append(failed, key)
		}
		s.mu.Lock()
		s.done[key] = true
		s.mu.Unlock()
	}
	s.note(failed...)
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.done)
}

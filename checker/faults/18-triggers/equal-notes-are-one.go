//go:build ignore

// Mistake: A note is wiped after the look, unless another event has come. One that is equal to the event before
//   it is taken for that one.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

import (
	"maps"
	"sync"
)

type Level struct {
	cluster Cluster

	mu    sync.Mutex
	noted map[string]Event
}

func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster, noted: map[string]Event{}}
}

func (s *Level) Notify(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noted[e.Key] = e
}

func (s *Level) note(keys ...string) {
	for _, key := range keys {
		s.Notify(Event{Key: key})
	}
}

func (s *Level) take() map[string]Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.noted)
}

func (s *Level) Work() {
	for key, seen := range s.take() {
		if err := s.reconcile(key); err != nil {
			continue
		}
		s.mu.Lock()
		if s.noted[key] == seen {
			delete(s.noted, key)
		}
		s.mu.Unlock()
	}
}

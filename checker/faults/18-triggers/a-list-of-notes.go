//go:build ignore

// Mistake: Notes are kept in a list: an app that ten events name is looked at ten times.
// Killed by: many-events-one-look
// Verdict: wrong-answer

package triggers

import "sync"

type Level struct {
	cluster Cluster

	mu    sync.Mutex
	noted []string
}

func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster}
}

func (s *Level) Work() {
	for _, key := range s.take() {
		if err := s.reconcile(key); err != nil {
			s.note(key)
		}
	}
}

func (s *Level) note(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noted = append(s.noted, keys...)
}

func (s *Level) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	noted := s.noted
	s.noted = nil
	return noted
}

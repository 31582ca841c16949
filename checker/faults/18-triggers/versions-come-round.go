//go:build ignore

// Mistake: Each note raises the version of its app, and a note is wiped after the look if the version is still
//   the same. The version has eight bits, and is the same after 256 notes.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

import (
	"maps"
	"sync"
)

type Level struct {
	cluster Cluster

	mu       sync.Mutex
	noted    map[string]bool
	versions map[string]uint8
}

func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster, noted: map[string]bool{}, versions: map[string]uint8{}}
}

func (s *Level) note(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.noted[key] = true
		s.versions[key]++
	}
}

func (s *Level) take() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.noted)
}

func (s *Level) version(key string) uint8 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.versions[key]
}

func (s *Level) Work() {
	for key := range s.take() {
		seen := s.version(key)
		if err := s.reconcile(key); err != nil {
			continue
		}
		s.mu.Lock()
		if s.versions[key] == seen {
			delete(s.noted, key)
		}
		s.mu.Unlock()
	}
}

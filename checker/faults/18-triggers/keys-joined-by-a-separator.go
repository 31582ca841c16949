//go:build ignore

// Mistake: The notes are kept as one string, with a separator between the keys that no key is thought to contain.
// Killed by: level-closes-the-gap
// Verdict: wrong-answer

package triggers

import (
	"strings"
	"sync"
)

type Level struct {
	cluster Cluster

	mu    sync.Mutex
	noted string
}

func NewLevel(cluster Cluster) *Level { return &Level{cluster: cluster} }

func (s *Level) note(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.noted += key + "\x1f"
	}
}

func (s *Level) take() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	noted := map[string]bool{}
	for _, key := range strings.Split(s.noted, "\x1f") {
		if key != "" {
			noted[key] = true
		}
	}
	s.noted = ""
	return noted
}

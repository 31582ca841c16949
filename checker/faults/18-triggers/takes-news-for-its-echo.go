//go:build ignore

// Mistake: An event of as many pods as Scale is just starting is the echo of that Scale, and no news: Level does not note it.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

import "sync"

type Level struct {
	cluster Cluster

	mu       sync.Mutex
	noted    map[string]bool
	scaling  string
	scalesBy int
}

func (s *Level) Notify(e Event) {
	s.mu.Lock()
	echo := e.Key == s.scaling && e.New.Desired == e.Old.Desired && e.New.Running-e.Old.Running == s.scalesBy
	s.mu.Unlock()
	if !echo {
		s.note(e.Key)
	}
}

func (s *Level) expect(key string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scaling, s.scalesBy = key, n
}

func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Missing()
	if n == 0 {
		return nil
	}
	s.expect(key, n)
	defer s.expect("", 0)
	return s.cluster.Scale(key, n)
}

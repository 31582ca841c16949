//go:build ignore

// Mistake: What has failed five times will fail again, so it is given up.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

import "sync"

type Level struct {
	cluster Cluster

	tries map[string]int
	mu    sync.Mutex
	noted map[string]bool
}

func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster, tries: map[string]int{}, noted: map[string]bool{}}
}

func (s *Level) Work() {
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			if s.tries[key]++; s.tries[key] > 5 {
				continue
			}
			s.note(key)
		}
	}
}

//go:build ignore

// Mistake: Level skips an app whose last gap it has closed with the same number: it trusts its memory more
//   than the cluster.
// Killed by: failed-write-is-tried-again
// Verdict: wrong-answer

package triggers

import "sync"

type Level struct {
	cluster Cluster

	done  map[string]State
	mu    sync.Mutex
	noted map[string]bool
}

func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster, done: map[string]State{}, noted: map[string]bool{}}
}

func (s *Level) reconcile(key string) error {
	state := s.cluster.Get(key)
	n := state.Missing()
	if s.done[key] == state {
		return nil
	}
	s.done[key] = state
	if n == 0 {
		return nil
	}
	return s.cluster.Scale(key, n)
}

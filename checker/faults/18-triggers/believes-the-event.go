//go:build ignore

// Mistake: The event has the new state in it, so why read? Because it was new when the event was sent.
// Killed by: level-trusts-the-state
// Verdict: wrong-answer

package triggers

import "sync"

type Level struct {
	cluster Cluster

	told  map[string]State
	mu    sync.Mutex
	noted map[string]bool
}

func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster, told: map[string]State{}, noted: map[string]bool{}}
}

func (s *Level) Notify(e Event) {
	s.told[e.Key] = e.New
	s.note(e.Key)
}

func (s *Level) reconcile(key string) error {
	s.cluster.Get(key)
	n := s.told[key].Missing()
	if n == 0 {
		return nil
	}
	return s.cluster.Scale(key, n)
}

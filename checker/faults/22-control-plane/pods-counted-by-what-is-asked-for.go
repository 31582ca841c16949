//go:build ignore

// Mistake: A ReplicaSet has as many pods as its spec says. (Upstream counts so, and may exceed the surge for
//   a moment.)
// Killed by: a-rollout-keeps-between-the-fenceposts
// Verdict: wrong-answer

package controlplane

func (s *set) pods() int { return s.replicas }

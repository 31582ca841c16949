//go:build ignore

// Mistake: A ReplicaSet is scaled again though it has not come to the number that was set.
// Killed by: one-change-at-a-time
// Verdict: wrong-answer

package controlplane

func scaleTo(s *set, n int) {
	s.replicas = n
}

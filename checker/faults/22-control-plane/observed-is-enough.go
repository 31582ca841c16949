//go:build ignore

// Mistake: A ReplicaSet is scaled as soon as it is observed, while its pods still come and go.
// Killed by: paused-and-scaled
// Verdict: wrong-answer

package controlplane

func scaleTo(s *set, n int) {
	if s.Status.ObservedGeneration == s.Generation {
		s.replicas = n
	}
}

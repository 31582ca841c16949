//go:build ignore

// Mistake: Pods that a ReplicaSet is about to delete count as available.
// Killed by: unhealthy-old-pods-go-first
// Verdict: wrong-answer

package controlplane

func (s *set) available() int { return s.Status.AvailableReplicas }

//go:build ignore

// Mistake: Room becomes free when a pod is gone, has ended or could not be bound. That somebody else has
//   bound it to another node is none of these.
// Killed by: conflict-never-overwrites
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *Scheduler) place(pod *kit.Pod) { s.cache.place(pod) }

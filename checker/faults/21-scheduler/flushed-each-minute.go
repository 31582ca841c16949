//go:build ignore

// Mistake: Unschedulable pods are tried again each minute, as Kubernetes did for years. In a full cluster
//   that is all the scheduler does.
// Killed by: flushed-after-five-minutes
// Verdict: wrong-answer

package scheduler

import "time"

const maxUnschedulable = time.Minute

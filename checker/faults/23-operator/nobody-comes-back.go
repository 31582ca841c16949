//go:build ignore

// Mistake: The cloud will say when it has finished; there is no need to ask.
// Killed by: creates-and-comes-back
// Verdict: wrong-answer

package operator

import "time"

func (r *DatabaseReconciler) nextLook(o outcome) time.Duration {
	return 0
}

//go:build ignore

// Mistake: What is stuck comes again after half of Resync. That is less than Poll where the two are near each other.
// Killed by: stuck-is-no-storm
// Verdict: wrong-answer

package operator

import "time"

func (r *DatabaseReconciler) nextLook(o outcome) time.Duration {
	switch {
	case o.waits:
		return r.options.Poll
	case o.stuck != "":
		return r.options.Resync / 2
	}
	return r.options.Resync
}

//go:build ignore

// Mistake: Nothing is to be done, so nobody has to come again.
// Killed by: drift-is-put-right
// Verdict: wrong-answer

package operator

import "time"

func (r *DatabaseReconciler) nextLook(o outcome) time.Duration {
	if o.waits {
		return r.options.Poll
	}
	return 0
}

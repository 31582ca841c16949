//go:build ignore

// Mistake: NoExecute is read as: pods that run have to go. It keeps new ones away, too.
// Killed by: who-may-run-where
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func keepsAway(effect kit.TaintEffect) bool {
	return effect == kit.TaintNoSchedule
}

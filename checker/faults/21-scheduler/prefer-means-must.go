//go:build ignore

// Mistake: Every taint that is not tolerated keeps a pod away, also one that only asks it to prefer other
//   nodes.
// Killed by: who-may-run-where
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func keepsAway(effect kit.TaintEffect) bool {
	return effect != ""
}

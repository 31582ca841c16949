//go:build ignore

// Mistake: A label that is not there reads as the empty string, and so matches a selector that asks for the
//   empty string.
// Killed by: who-may-run-where
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func NodeSelector(pod *kit.Pod, node NodeInfo) error {
	for key, value := range pod.Spec.NodeSelector {
		if got := node.Node.Labels[key]; got != value {
			return errSelector
		}
	}
	return nil
}

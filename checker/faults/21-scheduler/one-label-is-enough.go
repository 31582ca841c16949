//go:build ignore

// Mistake: A node that has one of the labels in the selector will do.
// Killed by: who-may-run-where
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func NodeSelector(pod *kit.Pod, node NodeInfo) error {
	for key, value := range pod.Spec.NodeSelector {
		if got, ok := node.Node.Labels[key]; ok && got == value {
			return nil
		}
	}
	if len(pod.Spec.NodeSelector) == 0 {
		return nil
	}
	return errSelector
}

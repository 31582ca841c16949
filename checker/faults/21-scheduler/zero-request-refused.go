//go:build ignore

// Mistake: A pod that asks for no CPU is compared all the same, and kept off a node that has none left.
// Killed by: resources-fit
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func NodeResourcesFit(pod *kit.Pod, node NodeInfo) error {
	free := minus(node.Node.Status.Allocatable, node.Requested)
	switch {
	case free.Pods < 1:
		return errTooManyPods
	case pod.Spec.CPU > free.CPU:
		return errInsufficientCPU
	case pod.Spec.Memory > 0 && pod.Spec.Memory > free.Memory:
		return errInsufficientMemory
	}
	return nil
}

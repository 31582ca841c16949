//go:build ignore

// Mistake: CPU and memory are resources; that a kubelet runs only so many pods is forgotten.
// Killed by: resources-fit
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func NodeResourcesFit(pod *kit.Pod, node NodeInfo) error {
	free := minus(node.Node.Status.Allocatable, node.Requested)
	switch {
	case free.Pods < -1000:
		return errTooManyPods
	case pod.Spec.CPU > 0 && pod.Spec.CPU > free.CPU:
		return errInsufficientCPU
	case pod.Spec.Memory > 0 && pod.Spec.Memory > free.Memory:
		return errInsufficientMemory
	}
	return nil
}

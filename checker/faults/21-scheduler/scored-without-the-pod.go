//go:build ignore

// Mistake: The score looks at the node as it is, and not as it will be with the pod on it.
// Killed by: score-spreads
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func LeastAllocated(pod *kit.Pod, node NodeInfo) int64 {
	has := node.Node.Status.Allocatable
	free := minus(has, node.Requested)
	return (percent(free.CPU, has.CPU) + percent(free.Memory, has.Memory) + percent(free.Pods, has.Pods)) / 3
}

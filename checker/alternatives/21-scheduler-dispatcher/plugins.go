package scheduler

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// NodeInfo is a node as a plugin sees it (upstream: fwk.NodeInfo). It is a value: later
// changes of the node do not change it. The Node is shared, so nobody may write to it.
type NodeInfo struct {
	Node *kit.Node
	// Requested is the sum of the requests of all pods that count on the node, bound
	// or assumed, and their number. All amounts are so small that neither a sum of them nor
	// a hundred times one overflows.
	Requested kit.Resources
}

// Filter returns nil if pod may run on node, and otherwise an error with the reason, in
// words that are the same for every node with this reason: "insufficient cpu". It
// depends only on its arguments, and many goroutines may call it at once.
type Filter func(pod *kit.Pod, node NodeInfo) error

// Score says how well pod would run on node.
type Score struct {
	Weight int64
	// Score returns 0 to 100; more is better. It depends only on its arguments, and many
	// goroutines may call it at once.
	Score func(pod *kit.Pod, node NodeInfo) int64
}

var (
	errTooManyPods = errors.New("too many pods")
	errCPU         = errors.New("insufficient cpu")
	errMemory      = errors.New("insufficient memory")
	errSelector    = errors.New("node(s) didn't match the pod's node selector")
	errCordoned    = errors.New("node(s) were unschedulable")
	errNotReady    = errors.New("node(s) were not ready")
)

// NodeResourcesFit refuses a node whose allocatable resources do not cover what is
// requested there together with the requests of pod. Each pod needs one of the node's
// Pods. For a CPU or memory request of zero that resource does not matter, even if the
// node has none left.
func NodeResourcesFit(pod *kit.Pod, node NodeInfo) error {
	free := node.Node.Status.Allocatable
	free.CPU -= node.Requested.CPU
	free.Memory -= node.Requested.Memory
	free.Pods -= node.Requested.Pods
	switch {
	case free.Pods < 1:
		return errTooManyPods
	case pod.Spec.CPU > 0 && pod.Spec.CPU > free.CPU:
		return errCPU
	case pod.Spec.Memory > 0 && pod.Spec.Memory > free.Memory:
		return errMemory
	}
	return nil
}

// NodeSelector refuses a node that lacks any of the labels in Spec.NodeSelector, or has it with
// another value (upstream: part of the plugin NodeAffinity).
func NodeSelector(pod *kit.Pod, node NodeInfo) error {
	for key, want := range pod.Spec.NodeSelector {
		if got, ok := node.Node.Labels[key]; !ok || got != want {
			return errSelector
		}
	}
	return nil
}

// TaintToleration refuses a node with a taint of effect NoSchedule or NoExecute whose key is
// not among the Tolerations of pod.
func TaintToleration(pod *kit.Pod, node NodeInfo) error {
	for _, taint := range node.Node.Spec.Taints {
		if taint.Effect != kit.TaintNoSchedule && taint.Effect != kit.TaintNoExecute {
			continue
		}
		if !slices.Contains(pod.Spec.Tolerations, taint.Key) {
			return fmt.Errorf("untolerated taint %s", taint.Key)
		}
	}
	return nil
}

// NodeUnschedulable refuses a node that is cordoned (Spec.Unschedulable).
func NodeUnschedulable(pod *kit.Pod, node NodeInfo) error {
	if node.Node.Spec.Unschedulable {
		return errCordoned
	}
	return nil
}

// NodeReady refuses a node that is not ready (Status.Ready). Upstream has no such plugin: there
// the node lifecycle controller puts a taint on such a node.
func NodeReady(pod *kit.Pod, node NodeInfo) error {
	if !node.Node.Status.Ready {
		return errNotReady
	}
	return nil
}

// LeastAllocated prefers the node with the most room: it spreads pods. For CPU, memory
// and pods it takes the percentage of the allocatable amount that would be free with pod
// on the node, rounded down; 0 if that is negative, or if nothing is allocatable. The
// score is the mean of the three, rounded down. (Upstream's, in NodeResourcesFit, does not
// look at the number of pods, and gives pods without requests a small request instead.)
func LeastAllocated(pod *kit.Pod, node NodeInfo) int64 {
	has, used := node.Node.Status.Allocatable, node.Requested
	return (freePercent(has.CPU, used.CPU, pod.Spec.CPU) +
		freePercent(has.Memory, used.Memory, pod.Spec.Memory) +
		freePercent(has.Pods, used.Pods, 1)) / 3
}

// freePercent is how much of has would be left with used and more taken away from it.
func freePercent(has, used, more int64) int64 {
	free := has - used - more
	if has <= 0 || free <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(free), 100)
	if hi >= uint64(has) {
		return 100
	}
	percent, _ := bits.Div64(hi, lo, uint64(has))
	return int64(percent)
}

// PreferUntainted returns 0 for a node with a taint of effect PreferNoSchedule whose key
// is not among the Tolerations of pod, and 100 for any other.
func PreferUntainted(pod *kit.Pod, node NodeInfo) int64 {
	for _, taint := range node.Node.Spec.Taints {
		if taint.Effect == kit.TaintPreferNoSchedule && !slices.Contains(pod.Spec.Tolerations, taint.Key) {
			return 0
		}
	}
	return 100
}

// NumFeasibleNodesToFind returns how many feasible nodes are enough in a cluster of the
// given size: all of them up to 100 nodes, and otherwise (50 − nodes/125) percent of them,
// rounded down at both divisions, but no less than 5 percent and no fewer than 100
// (upstream: numFeasibleNodesToFind).
func NumFeasibleNodesToFind(nodes int) int {
	if nodes <= 100 {
		return nodes
	}
	percent := max(50-nodes/125, 5)
	return max(nodes*percent/100, 100)
}

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

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

// NodeResourcesFit refuses a node whose allocatable resources do not cover what is
// requested there together with the requests of pod. Each pod needs one of the node's
// Pods. For a CPU or memory request of zero that resource does not matter, even if the
// node has none left.
func NodeResourcesFit(pod *kit.Pod, node NodeInfo) error {
	panic(kit.TODO("NodeResourcesFit"))
}

// NodeSelector refuses a node that lacks any of the labels in Spec.NodeSelector, or has it with
// another value (upstream: part of the plugin NodeAffinity).
func NodeSelector(pod *kit.Pod, node NodeInfo) error {
	panic(kit.TODO("NodeSelector"))
}

// TaintToleration refuses a node with a taint of effect NoSchedule or NoExecute whose key is
// not among the Tolerations of pod.
func TaintToleration(pod *kit.Pod, node NodeInfo) error {
	panic(kit.TODO("TaintToleration"))
}

// NodeUnschedulable refuses a node that is cordoned (Spec.Unschedulable).
func NodeUnschedulable(pod *kit.Pod, node NodeInfo) error {
	panic(kit.TODO("NodeUnschedulable"))
}

// NodeReady refuses a node that is not ready (Status.Ready). Upstream has no such plugin: there
// the node lifecycle controller puts a taint on such a node.
func NodeReady(pod *kit.Pod, node NodeInfo) error {
	panic(kit.TODO("NodeReady"))
}

// LeastAllocated prefers the node with the most room: it spreads pods. For CPU, memory
// and pods it takes the percentage of the allocatable amount that would be free with pod
// on the node, rounded down; 0 if that is negative, or if nothing is allocatable. The
// score is the mean of the three, rounded down. (Upstream's, in NodeResourcesFit, does not
// look at the number of pods, and gives pods without requests a small request instead.)
func LeastAllocated(pod *kit.Pod, node NodeInfo) int64 {
	panic(kit.TODO("LeastAllocated"))
}

// PreferUntainted returns 0 for a node with a taint of effect PreferNoSchedule whose key
// is not among the Tolerations of pod, and 100 for any other.
func PreferUntainted(pod *kit.Pod, node NodeInfo) int64 {
	panic(kit.TODO("PreferUntainted"))
}

// NumFeasibleNodesToFind returns how many feasible nodes are enough in a cluster of the
// given size: all of them up to 100 nodes, and otherwise (50 − nodes/125) percent of them,
// rounded down at both divisions, but no less than 5 percent and no fewer than 100
// (upstream: numFeasibleNodesToFind).
func NumFeasibleNodesToFind(nodes int) int {
	panic(kit.TODO("NumFeasibleNodesToFind"))
}

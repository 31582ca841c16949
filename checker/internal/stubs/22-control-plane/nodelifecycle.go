package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// NodeLifecycleOptions are what a NodeLifecycleReconciler is made of.
type NodeLifecycleOptions struct {
	Nodes     kit.Client[*kit.Node]
	Pods      kit.Client[*kit.Pod]
	NodeCache kit.Indexer[*kit.Node]
	PodCache  kit.Indexer[*kit.Pod] // has NodeIndex

	GracePeriod time.Duration // how long a node may be silent; 0 is 40 s
	EvictAfter  time.Duration // how long its pods are kept after that; 0 is 5 min

	Recorder kit.EventRecorder // never nil
}

// NodeLifecycleReconciler decides which nodes are lost, and lets their pods go, so that
// others take their place (pkg/controller/nodelifecycle and tainteviction).
//
// # Silence
//
// The clocks of nodes are not to be trusted: a heartbeat is news because it differs from
// the last one seen, whatever it says. A node is silent for as long as the reconciler has
// seen no news of it; the first sight is news. A cache may lag: before a node is judged,
// the API server itself is asked.
//
//   - A node that is silent for GracePeriod or longer is unreachable: not ready, and with
//     two taints of the key kit.TaintUnreachable, NoSchedule and NoExecute. Its pods are
//     not ready any more either, as far as anyone knows: their status says so, with
//     ReadySince.
//   - Once it has been unreachable for EvictAfter, from when this reconciler first judged
//     it so, its pods are deleted, those that tolerate kit.TaintUnreachable excepted. So
//     is, at once, any pod that turns up there later. A pod is deleted by its UID: a new
//     one of its name is spared.
//   - News of it end all that: the taints are taken off, other taints stay. That it is
//     ready, and its pods, is for its kubelet to say.
//   - A node that does not exist has no pods: those bound to it are deleted at once, once
//     the API server says so too (upstream: the pod garbage collector).
//
// A reconciler that is made anew knows nothing: all its times begin again. In a world at
// rest it writes nothing.
type NodeLifecycleReconciler struct {
	// yours
}

var _ kit.Reconciler = (*NodeLifecycleReconciler)(nil)

// NewNodeLifecycleReconciler makes a NodeLifecycleReconciler.
func NewNodeLifecycleReconciler(options NodeLifecycleOptions) *NodeLifecycleReconciler {
	panic(kit.TODO("NewNodeLifecycleReconciler"))
}

// Reconcile looks at one node: the request is its name. The result says when to look again,
// at the latest; a node that is fine is looked at again when it would be silent for too
// long. It may be called earlier, and for several nodes at once. Errors of the API are
// returned, wrapped or not.
func (r *NodeLifecycleReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	panic(kit.TODO("NodeLifecycleReconciler.Reconcile"))
}

// NodeHandler enqueues every node that it hears of.
func (r *NodeLifecycleReconciler) NodeHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Node] {
	panic(kit.TODO("NodeLifecycleReconciler.NodeHandler"))
}

// PodHandler enqueues the node of a pod that was bound just now or was there in the
// beginning. Other changes of pods need not be heard of.
func (r *NodeLifecycleReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	panic(kit.TODO("NodeLifecycleReconciler.PodHandler"))
}

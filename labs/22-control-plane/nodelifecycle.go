package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// NodeLifecycleOptions are the parts and settings of a NodeLifecycleReconciler.
type NodeLifecycleOptions struct {
	Nodes     kit.Client[*kit.Node]
	Pods      kit.Client[*kit.Pod]
	NodeCache kit.Indexer[*kit.Node]
	PodCache  kit.Indexer[*kit.Pod] // has NodeIndex

	GracePeriod time.Duration // how long a node may be silent; 0 is 40 s (upstream: 50 s)
	EvictAfter  time.Duration // how long its pods are kept after that; 0 is 5 min

	Recorder kit.EventRecorder // never nil
}

// NodeLifecycleReconciler decides which nodes are lost, and deletes their pods, so that
// others take their place (pkg/controller/nodelifecycle and tainteviction).
//
// # Silence
//
// Nobody may trust the clocks of nodes: a heartbeat is news because it differs from the
// last one seen, in a later version of the node, whatever time it says. A node is silent
// for as long as the reconciler has seen no news of it; its silence begins at the first
// sight. A node that it has found not to exist is a new one when it comes back. A cache may
// lag: before it judges a node, the reconciler asks the API server itself. It does so before
// it deletes pods, too.
//
//   - A node that is silent for GracePeriod or longer is unreachable: not ready, and with
//     two taints of the key kit.TaintUnreachable, NoSchedule and NoExecute. Its pods are
//     no longer ready either, as far as anyone knows: their status says so, with
//     ReadySince. This holds for those that are being deleted, too. Whether phase and
//     reason change is left open.
//   - Once it has been unreachable for EvictAfter, from when this reconciler first judged
//     it so, its pods are deleted, whatever their phase, except those that tolerate
//     kit.TaintUnreachable. Any other pod that turns up there later is deleted at once. A
//     pod is deleted by its UID: a new one of its name is spared. One that cannot be
//     deleted does not keep the others from being deleted; this holds for the pods of a
//     node that does not exist, too.
//   - News of it ends all that: the taints are removed, other taints stay. Only its kubelet
//     may report that it is ready, and that its pods are.
//   - A node that does not exist has no pods: those bound to it are deleted at once,
//     whatever they tolerate, if the API server agrees that it does not exist (upstream:
//     the pod garbage collector). If the cache still has a node that is silent, and the API
//     server says that it does not exist, this holds, too.
//
// A new reconciler knows nothing: all its times begin again. Whether it takes the taints of
// an earlier one off at its first sight of the node or at the next heartbeat is left open.
// (Upstream does the latter. It goes by the node's Ready condition, which is Unknown until
// the kubelet posts a status; so a restart of the controller sends no pods to a lost node.)
// In a world at rest it writes nothing.
type NodeLifecycleReconciler struct {
	// yours
}

var _ kit.Reconciler = (*NodeLifecycleReconciler)(nil)

// NewNodeLifecycleReconciler makes a NodeLifecycleReconciler.
func NewNodeLifecycleReconciler(options NodeLifecycleOptions) *NodeLifecycleReconciler {
	panic(kit.TODO("NewNodeLifecycleReconciler"))
}

// Reconcile looks at one node: the request is its name. The result says when to look
// again, at the latest; for a healthy node that is when it would have been silent for
// too long. It may be called earlier, and for several nodes at once. Errors of the
// API are returned, wrapped or not.
func (r *NodeLifecycleReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	panic(kit.TODO("NodeLifecycleReconciler.Reconcile"))
}

// NodeHandler enqueues every node that it hears of.
func (r *NodeLifecycleReconciler) NodeHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Node] {
	panic(kit.TODO("NodeLifecycleReconciler.NodeHandler"))
}

// PodHandler enqueues the node of a pod that has just been bound or existed in the
// beginning. A pod that is bound to no node enqueues nothing. In an update with two UIDs
// the second pod has just been bound. It may ignore other changes of pods.
func (r *NodeLifecycleReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	panic(kit.TODO("NodeLifecycleReconciler.PodHandler"))
}

package controlplane

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// NodeLifecycleOptions are the parts and settings of a NodeLifecycleReconciler.
type NodeLifecycleOptions struct {
	Nodes     kit.Client[*kit.Node]
	Pods      kit.Client[*kit.Pod]
	NodeCache kit.Indexer[*kit.Node]
	PodCache  kit.Indexer[*kit.Pod] // has NodeIndex

	GracePeriod time.Duration // how long a node may be silent; 0 is 40 s
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
// for as long as the reconciler has seen no news of it; the first sight is news. A cache
// may lag: before it judges a node, the reconciler asks the API server itself.
//
//   - A node that is silent for GracePeriod or longer is unreachable: not ready, and with
//     two taints of the key kit.TaintUnreachable, NoSchedule and NoExecute. Its pods are
//     no longer ready either, as far as anyone knows: their status says so, with
//     ReadySince. Whether phase and reason change, too, is left open.
//   - Once it has been unreachable for EvictAfter, from when this reconciler first judged
//     it so, its pods are deleted, except those that tolerate kit.TaintUnreachable. Any pod
//     that turns up there later is deleted at once. A pod is deleted by its UID: a new one
//     of its name is spared. One that cannot be deleted does not keep the others from being
//     deleted; this holds for the pods of a node that does not exist, too.
//   - News of it ends all that: the taints are removed, other taints stay. Only its kubelet
//     may report that it is ready, and that its pods are.
//   - A node that does not exist has no pods: those bound to it are deleted at once,
//     whatever they tolerate, if the API server agrees that it does not exist (upstream:
//     the pod garbage collector).
//
// A new reconciler knows nothing: all its times begin again. In a world at rest it writes
// nothing.
type NodeLifecycleReconciler struct {
	o     NodeLifecycleOptions
	nodes sync.Map // name → *watched
}

type watched struct {
	uid    string
	beat   time.Time
	heard  time.Time
	judged time.Time
}

var _ kit.Reconciler = (*NodeLifecycleReconciler)(nil)

// NewNodeLifecycleReconciler makes a NodeLifecycleReconciler.
func NewNodeLifecycleReconciler(options NodeLifecycleOptions) *NodeLifecycleReconciler {
	if options.GracePeriod == 0 {
		options.GracePeriod = 40 * time.Second
	}
	if options.EvictAfter == 0 {
		options.EvictAfter = 5 * time.Minute
	}
	return &NodeLifecycleReconciler{o: options}
}

// Reconcile looks at one node: the request is its name. The result says when to look
// again, at the latest; for a healthy node that is when it would have been silent for
// too long. It may be called earlier, and for several nodes at once. Errors of the
// API are returned, wrapped or not.
func (r *NodeLifecycleReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	node, err := r.o.Nodes.Get(ctx, "", request.Name)
	if kit.IsNotFound(err) {
		r.nodes.Delete(request.Name)
		return kit.Result{}, r.deletePods(ctx, request.Name, func(*kit.Pod) bool { return true })
	}
	if err != nil {
		return kit.Result{}, err
	}
	now := time.Now()
	v, _ := r.nodes.LoadOrStore(request.Name, &watched{})
	w := v.(*watched)
	if w.uid != node.UID || w.beat != node.Status.Heartbeat {
		*w = watched{uid: node.UID, beat: node.Status.Heartbeat, heard: now}
	}
	silence := now.Sub(w.heard)
	if silence < r.o.GracePeriod {
		others := slices.DeleteFunc(slices.Clone(node.Spec.Taints), func(t kit.Taint) bool { return t.Key == kit.TaintUnreachable })
		if len(others) < len(node.Spec.Taints) {
			node.Spec.Taints = others
			if _, err := r.o.Nodes.Update(ctx, node); err != nil {
				return kit.Result{}, err
			}
		}
		return kit.Result{RequeueAfter: r.o.GracePeriod - silence}, nil
	}
	if w.judged.IsZero() {
		w.judged = now
	}
	if err := r.markNode(ctx, node); err != nil {
		return kit.Result{}, err
	}
	if err := r.markPods(ctx, node.Name); err != nil {
		return kit.Result{}, err
	}
	if left := r.o.EvictAfter - now.Sub(w.judged); left > 0 {
		return kit.Result{RequeueAfter: left}, nil
	}
	err = r.deletePods(ctx, node.Name, func(pod *kit.Pod) bool {
		return !slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable)
	})
	return kit.Result{}, err
}

// NodeHandler enqueues every node that it hears of.
func (r *NodeLifecycleReconciler) NodeHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Node] {
	each := func(node *kit.Node) { enqueue(kit.Request{Name: node.Name}) }
	return kit.ResourceEventHandlerFuncs[*kit.Node]{
		AddFunc:    func(node *kit.Node, _ bool) { each(node) },
		UpdateFunc: func(_, node *kit.Node) { each(node) },
		DeleteFunc: func(node *kit.Node, _ bool) { each(node) },
	}
}

// PodHandler enqueues the node of a pod that has just been bound or existed in the
// beginning. A pod that is bound to no node enqueues nothing. In an update with two UIDs
// the second pod has just been bound. It may ignore other changes of pods.
func (r *NodeLifecycleReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	each := func(pod *kit.Pod) {
		if pod.Spec.NodeName != "" {
			enqueue(kit.Request{Name: pod.Spec.NodeName})
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { each(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.UID != pod.UID || old.Spec.NodeName == "" {
				each(pod)
			}
		},
	}
}

func (r *NodeLifecycleReconciler) markNode(ctx context.Context, node *kit.Node) error {
	before := len(node.Spec.Taints)
	for _, effect := range []kit.TaintEffect{kit.TaintNoExecute, kit.TaintNoSchedule} {
		has := slices.ContainsFunc(node.Spec.Taints, func(t kit.Taint) bool { return t.Key == kit.TaintUnreachable && t.Effect == effect })
		if !has {
			node.Spec.Taints = append(node.Spec.Taints, kit.Taint{Key: kit.TaintUnreachable, Effect: effect})
		}
	}
	if len(node.Spec.Taints) == before && !node.Status.Ready {
		return nil
	}
	node.Status.Ready = false
	_, err := r.o.Nodes.Update(ctx, node)
	return err
}

func (r *NodeLifecycleReconciler) markPods(ctx context.Context, node string) error {
	pods, err := r.o.PodCache.ByIndex(NodeIndex, node)
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if !pod.Status.Ready {
			continue
		}
		pod = pod.DeepCopy()
		pod.Status.Ready, pod.Status.ReadySince = false, time.Now()
		if _, err := r.o.Pods.Update(ctx, pod); err != nil && !kit.IsNotFound(err) {
			return err
		}
	}
	return nil
}

func (r *NodeLifecycleReconciler) deletePods(ctx context.Context, node string, which func(*kit.Pod) bool) (first error) {
	pods, err := r.o.PodCache.ByIndex(NodeIndex, node)
	if err != nil {
		return err
	}
	for _, pod := range pods {
		if pod.DeletionTimestamp != nil || !which(pod) {
			continue
		}
		_, err := r.o.Pods.Delete(ctx, pod.Namespace, pod.Name, kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}})
		if err != nil && !kit.IsNotFound(err) && !kit.IsConflict(err) && first == nil {
			first = err
		}
	}
	return first
}

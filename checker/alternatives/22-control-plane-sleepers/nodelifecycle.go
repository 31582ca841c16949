package controlplane

import (
	"context"
	"errors"
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
	NodeLifecycleOptions

	mu    sync.Mutex
	nodes map[string]*sighting
}

// sighting is what was seen of a node. Only the Reconcile of that node uses it.
type sighting struct {
	uid         string
	version     string // of the newest state that was seen
	heartbeat   time.Time
	news        time.Time // when the last news came, on our clock
	unreachable time.Time // since when it is; zero if it is not
}

var _ kit.Reconciler = (*NodeLifecycleReconciler)(nil)

// NewNodeLifecycleReconciler makes a NodeLifecycleReconciler.
func NewNodeLifecycleReconciler(options NodeLifecycleOptions) *NodeLifecycleReconciler {
	if options.GracePeriod <= 0 {
		options.GracePeriod = 40 * time.Second
	}
	if options.EvictAfter <= 0 {
		options.EvictAfter = 5 * time.Minute
	}
	return &NodeLifecycleReconciler{NodeLifecycleOptions: options, nodes: map[string]*sighting{}}
}

// Reconcile looks at one node: the request is its name. The result says when to look
// again, at the latest; for a healthy node that is when it would have been silent for
// too long. It may be called earlier, and for several nodes at once. Errors of the
// API are returned, wrapped or not.
func (r *NodeLifecycleReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	name := request.Name
	node, ok := r.NodeCache.GetByKey(name)
	if !ok {
		return r.missing(ctx, name)
	}
	seen := r.sighting(name)
	seen.see(node)
	silent := time.Since(seen.news)
	if silent >= r.GracePeriod {
		live, err := r.Nodes.Get(ctx, "", name)
		if kit.IsNotFound(err) {
			return r.missing(ctx, name)
		}
		if err != nil {
			return kit.Result{}, err
		}
		node = live
		seen.see(live)
		silent = time.Since(seen.news)
	}
	if silent < r.GracePeriod {
		if hasUnreachable(node) {
			if err := r.welcome(ctx, name); err != nil {
				return kit.Result{}, err
			}
		}
		return kit.Result{RequeueAfter: r.GracePeriod - silent}, nil
	}
	return r.lost(ctx, node, seen)
}

// NodeHandler enqueues every node that it hears of.
func (r *NodeLifecycleReconciler) NodeHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Node] {
	return kit.ResourceEventHandlerFuncs[*kit.Node]{
		AddFunc:    func(node *kit.Node, _ bool) { enqueue(kit.RequestFor(node)) },
		UpdateFunc: func(old, node *kit.Node) { enqueue(kit.RequestFor(old)); enqueue(kit.RequestFor(node)) },
		DeleteFunc: func(node *kit.Node, _ bool) { enqueue(kit.RequestFor(node)) },
	}
}

// PodHandler enqueues the node of a pod that has just been bound or existed in the
// beginning. A pod that is bound to no node enqueues nothing. In an update with two UIDs
// the second pod has just been bound. It may ignore other changes of pods.
func (r *NodeLifecycleReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	bound := func(pod *kit.Pod) {
		if pod.Spec.NodeName != "" {
			enqueue(kit.Request{Name: pod.Spec.NodeName})
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { bound(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.UID != pod.UID || old.Spec.NodeName != pod.Spec.NodeName {
				bound(pod)
			}
		},
	}
}

func (r *NodeLifecycleReconciler) sighting(name string) *sighting {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.nodes[name] == nil {
		r.nodes[name] = &sighting{}
	}
	return r.nodes[name]
}

// see takes in a state of the node, unless a newer one was seen already.
func (s *sighting) see(node *kit.Node) {
	first := s.news.IsZero() || s.uid != node.UID
	if !s.news.IsZero() && older(node.ResourceVersion, s.version) {
		return
	}
	if first || !node.Status.Heartbeat.Equal(s.heartbeat) {
		s.news, s.unreachable = time.Now(), time.Time{}
	}
	s.uid, s.version, s.heartbeat = node.UID, node.ResourceVersion, node.Status.Heartbeat
}

func isUnreachable(t kit.Taint) bool { return t.Key == kit.TaintUnreachable }

func hasUnreachable(node *kit.Node) bool { return slices.ContainsFunc(node.Spec.Taints, isUnreachable) }

// welcome takes the taints off a node that is there again.
func (r *NodeLifecycleReconciler) welcome(ctx context.Context, name string) error {
	node, err := r.Nodes.Get(ctx, "", name)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil || !hasUnreachable(node) {
		return err
	}
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, isUnreachable)
	_, err = r.Nodes.Update(ctx, node)
	return err
}

// missing deletes the pods of a node that does not exist.
func (r *NodeLifecycleReconciler) missing(ctx context.Context, name string) (kit.Result, error) {
	pods, err := r.PodCache.ByIndex(NodeIndex, name)
	if err != nil {
		return kit.Result{}, err
	}
	if len(pods) > 0 {
		_, err := r.Nodes.Get(ctx, "", name)
		if err == nil {
			return kit.Result{RequeueAfter: time.Second}, nil // the cache is late
		}
		if !kit.IsNotFound(err) {
			return kit.Result{}, err
		}
	}
	r.mu.Lock()
	delete(r.nodes, name)
	r.mu.Unlock()
	var first error
	for _, pod := range pods {
		if err := r.evict(ctx, pod, "its node does not exist"); err != nil && first == nil {
			first = err
		}
	}
	return kit.Result{}, first
}

func (r *NodeLifecycleReconciler) evict(ctx context.Context, pod *kit.Pod, why string) error {
	if pod.DeletionTimestamp != nil {
		return nil
	}
	_, err := r.Pods.Delete(ctx, pod.Namespace, pod.Name, kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}})
	if kit.IsNotFound(err) || kit.IsConflict(err) {
		return nil // it is gone, and another may have its name
	}
	if err == nil {
		r.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, "TaintManagerEviction", "Deleted: %s", why)
	}
	return err
}

// lost judges a node of which there was no news for too long. node was read right now.
func (r *NodeLifecycleReconciler) lost(ctx context.Context, node *kit.Node, seen *sighting) (kit.Result, error) {
	now := time.Now()
	if seen.unreachable.IsZero() {
		seen.unreachable = now
	}
	want := node.DeepCopy()
	want.Status.Ready = false
	changed := node.Status.Ready
	for _, effect := range []kit.TaintEffect{kit.TaintNoSchedule, kit.TaintNoExecute} {
		if !slices.ContainsFunc(want.Spec.Taints, func(t kit.Taint) bool { return isUnreachable(t) && t.Effect == effect }) {
			want.Spec.Taints = append(want.Spec.Taints, kit.Taint{Key: kit.TaintUnreachable, Effect: effect})
			changed = true
		}
	}
	if changed {
		stored, err := r.Nodes.Update(ctx, want)
		if err != nil {
			return kit.Result{}, err
		}
		seen.see(stored)
		r.Recorder.Eventf(kit.ReferenceTo(kit.Nodes, node), kit.EventNormal, "NodeNotReady", "Node %s is not heard of any more", node.Name)
	}

	pods, err := r.PodCache.ByIndex(NodeIndex, node.Name)
	if err != nil {
		return kit.Result{}, err
	}
	left := r.EvictAfter - now.Sub(seen.unreachable)
	var errs []error
	for _, pod := range pods {
		if left <= 0 && !slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable) {
			errs = append(errs, r.evict(ctx, pod, "its node is not heard of any more"))
		} else if pod.Status.Ready {
			errs = append(errs, r.notReady(ctx, pod))
		}
	}
	result := kit.Result{RequeueAfter: left}
	if left <= 0 {
		result.RequeueAfter = r.GracePeriod
	}
	return result, errors.Join(errs...)
}

// notReady says of a pod that it is not ready as far as anyone knows.
func (r *NodeLifecycleReconciler) notReady(ctx context.Context, cached *kit.Pod) error {
	pod, err := r.Pods.Get(ctx, cached.Namespace, cached.Name)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if pod.UID != cached.UID || pod.Spec.NodeName != cached.Spec.NodeName || !pod.Status.Ready {
		return nil
	}
	pod.Status.Ready, pod.Status.ReadySince = false, time.Now()
	_, err = r.Pods.Update(ctx, pod)
	if kit.IsNotFound(err) {
		return nil
	}
	return err
}

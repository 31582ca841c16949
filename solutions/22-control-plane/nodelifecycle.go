package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
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

// NodeLifecycleReconciler decides which nodes are lost, and deletes their pods. The stub's
// documentation is the contract.
//
// It remembers of a node when it saw news, by its own clock. A heartbeat is compared with
// the one before it, and never with that clock.
type NodeLifecycleReconciler struct {
	NodeLifecycleOptions

	mu   sync.Mutex         // guards news
	news map[string]sighted // by node
}

// sighted is what was last heard of a node. Times are those of this process.
type sighted struct {
	heartbeat   time.Time // as the node wrote it: it is compared with nothing but the next one
	version     uint64    // of the node that showed it
	at          time.Time // when that was news
	unreachable time.Time // since when it is judged unreachable; zero while it is not
	heard       bool      // whether there was any news after the first sight
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
	return &NodeLifecycleReconciler{NodeLifecycleOptions: options, news: map[string]sighted{}}
}

// Reconcile looks at one node. A node that is fine in the cache costs no request; one that
// is not may be fine all the same, and so the API server is asked before it is judged.
func (r *NodeLifecycleReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	name := request.Name
	node, exists := r.NodeCache.GetByKey(name)
	if exists {
		if left := r.GracePeriod - r.hear(node); left > 0 {
			return kit.Result{RequeueAfter: left}, r.clear(ctx, node)
		}
	}
	// The cache says that the node is silent or gone: that may be the cache's own silence.
	live, err := r.Nodes.Get(ctx, "", name)
	if kit.IsNotFound(err) {
		return kit.Result{}, r.gone(ctx, name)
	}
	if err != nil {
		return kit.Result{}, fmt.Errorf("ask for node %s: %w", name, err)
	}
	if left := r.GracePeriod - r.hear(live); left > 0 {
		return kit.Result{RequeueAfter: left}, r.clear(ctx, live)
	}
	return r.unreachable(ctx, live)
}

// hear takes note of a node, and says for how long there was no news of it.
func (r *NodeLifecycleReconciler) hear(node *kit.Node) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	last, known := r.news[node.Name]
	// What the cache shows may be older than what the API server has said: that is no news.
	if !known || version(node) > last.version && !last.heartbeat.Equal(node.Status.Heartbeat) {
		last = sighted{heartbeat: node.Status.Heartbeat, version: version(node), at: now, heard: known}
		r.news[node.Name] = last
	}
	return now.Sub(last.at)
}

// heard reports whether there was any news of a node after the first sight of it. A reconciler
// that has just been made finds the taints of its predecessor: if it took them off at the first
// sight, the scheduler would fill a node that may be as lost as before.
func (r *NodeLifecycleReconciler) heard(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.news[name].heard
}

// clear takes the taints off a node of which there is news.
func (r *NodeLifecycleReconciler) clear(ctx context.Context, node *kit.Node) error {
	if !r.heard(node.Name) || !slices.ContainsFunc(node.Spec.Taints, unreachableTaint) {
		return nil
	}
	node = node.DeepCopy()
	node.Spec.Taints = slices.DeleteFunc(node.Spec.Taints, unreachableTaint)
	if _, err := r.Nodes.Update(ctx, node); err != nil {
		return fmt.Errorf("clear node %s: %w", node.Name, err)
	}
	r.Recorder.Eventf(kit.ReferenceTo(kit.Nodes, node), kit.EventNormal, "NodeReachable", "There is news of node %s", node.Name)
	return nil
}

func unreachableTaint(t kit.Taint) bool { return t.Key == kit.TaintUnreachable }

// unreachable does what is to be done about a silent node.
func (r *NodeLifecycleReconciler) unreachable(ctx context.Context, node *kit.Node) (kit.Result, error) {
	since := r.judge(node.Name)
	if err := r.mark(ctx, node); err != nil {
		return kit.Result{}, err
	}
	left := r.EvictAfter - time.Since(since)
	if err := r.forPods(ctx, node.Name, func(pod *kit.Pod) error {
		if left <= 0 && !slices.Contains(pod.Spec.Tolerations, kit.TaintUnreachable) {
			return r.evict(ctx, pod)
		}
		return r.notReady(ctx, pod)
	}); err != nil {
		return kit.Result{}, err
	}
	return kit.Result{RequeueAfter: max(left, 0)}, nil
}

// judge says since when a node is judged unreachable: since now, if it was not yet.
func (r *NodeLifecycleReconciler) judge(name string) time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	last := r.news[name]
	if last.unreachable.IsZero() {
		last.unreachable = time.Now()
		r.news[name] = last
	}
	return last.unreachable
}

// mark says on the node that it is unreachable.
func (r *NodeLifecycleReconciler) mark(ctx context.Context, node *kit.Node) error {
	marked := node.DeepCopy()
	marked.Status.Ready = false
	for _, effect := range []kit.TaintEffect{kit.TaintNoSchedule, kit.TaintNoExecute} {
		taint := kit.Taint{Key: kit.TaintUnreachable, Effect: effect}
		if !slices.ContainsFunc(marked.Spec.Taints, func(t kit.Taint) bool { return t.Key == taint.Key && t.Effect == effect }) {
			marked.Spec.Taints = append(marked.Spec.Taints, taint)
		}
	}
	if kit.Nodes.Equal(marked, node) {
		return nil
	}
	if _, err := r.Nodes.Update(ctx, marked); err != nil {
		return fmt.Errorf("mark node %s: %w", node.Name, err)
	}
	r.Recorder.Eventf(kit.ReferenceTo(kit.Nodes, node), kit.EventWarning, "NodeNotReady", "There was no news of node %s for %v", node.Name, r.GracePeriod)
	return nil
}

// gone lets the pods of a node go that does not exist.
func (r *NodeLifecycleReconciler) gone(ctx context.Context, name string) error {
	r.mu.Lock()
	delete(r.news, name)
	r.mu.Unlock()
	return r.forPods(ctx, name, func(pod *kit.Pod) error { return r.evict(ctx, pod) })
}

// forPods does something about every pod of a node. One that fails does not keep the
// others from their turn.
func (r *NodeLifecycleReconciler) forPods(ctx context.Context, node string, do func(pod *kit.Pod) error) error {
	pods, err := r.PodCache.ByIndex(NodeIndex, node)
	if err != nil {
		return fmt.Errorf("list the pods of node %s: %w", node, err)
	}
	var errs []error
	for _, pod := range pods {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		errs = append(errs, do(pod))
	}
	return errors.Join(errs...)
}

func (r *NodeLifecycleReconciler) evict(ctx context.Context, pod *kit.Pod) error {
	if pod.DeletionTimestamp != nil {
		return nil
	}
	_, err := r.Pods.Delete(ctx, pod.Namespace, pod.Name, kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}})
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("evict %s: %w", kit.Key(pod), err)
	}
	r.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventWarning, "Evicted", "Node %s is lost", pod.Spec.NodeName)
	return nil
}

// notReady says that nobody knows any more whether a pod is ready.
func (r *NodeLifecycleReconciler) notReady(ctx context.Context, pod *kit.Pod) error {
	if !pod.Status.Ready {
		return nil
	}
	pod = pod.DeepCopy()
	pod.Status.Ready, pod.Status.ReadySince, pod.Status.Reason = false, time.Now(), "NodeLost"
	_, err := r.Pods.Update(ctx, pod)
	if kit.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("mark %s: %w", kit.Key(pod), err)
	}
	return nil
}

// NodeHandler enqueues every node that it hears of.
func (r *NodeLifecycleReconciler) NodeHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Node] {
	return kit.ResourceEventHandlerFuncs[*kit.Node]{
		AddFunc:    func(node *kit.Node, _ bool) { enqueue(kit.RequestFor(node)) },
		UpdateFunc: func(_, node *kit.Node) { enqueue(kit.RequestFor(node)) },
		DeleteFunc: func(node *kit.Node, _ bool) { enqueue(kit.RequestFor(node)) },
	}
}

// PodHandler enqueues the node of a pod that was bound just now or was there in the
// beginning: its node may be one that is long lost, or that does not exist.
func (r *NodeLifecycleReconciler) PodHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Pod] {
	bound := func(pod *kit.Pod) {
		if pod.Spec.NodeName != "" {
			enqueue(kit.Request{Name: pod.Spec.NodeName})
		}
	}
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { bound(pod) },
		UpdateFunc: func(before, after *kit.Pod) {
			if before.UID != after.UID || before.Spec.NodeName != after.Spec.NodeName {
				bound(after)
			}
		},
	}
}

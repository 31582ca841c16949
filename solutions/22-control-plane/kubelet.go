package controlplane

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Life is what becomes of a pod on a simulated node.
type Life struct {
	Start time.Duration // from when the kubelet has seen the pod until it is running
	Ready time.Duration // from then until it is ready; below 0 for never
	Ends  time.Duration // from running until its containers end; 0 or less for never
	Phase kit.PodPhase  // what it has become then: "" is PodFailed
}

// KubeletOptions are what a Kubelet is made of.
type KubeletOptions struct {
	Node        string            // its node's name
	Labels      map[string]string // its node's labels, where it creates it
	Allocatable kit.Resources     // what its node has to give

	Pods     kit.Client[*kit.Pod]
	Nodes    kit.Client[*kit.Node]
	PodCache kit.Indexer[*kit.Pod] // pods of this node and others; has NodeIndex

	Life      func(pod *kit.Pod) Life // what becomes of a pod; nil is Life{} for all
	Heartbeat time.Duration           // between two heartbeats; 0 is 10 s
	Now       func() time.Time        // the clock on this node's wall, for its heartbeats alone; nil is time.Now

	Recorder kit.EventRecorder // never nil
}

// Kubelet runs the pods that are bound to one node. The stub's documentation is the
// contract.
//
// One goroutine, that of Run, does everything, and owns what runs here. It sleeps until
// the handler has marked a pod or until something is due. A mark says no more than which
// pod to look at, so it does not matter how many there were, or in which order.
type Kubelet struct {
	KubeletOptions

	mu    sync.Mutex          // guards dirty
	dirty map[string]struct{} // keys of pods to look at
	wake  chan struct{}       // holds one token if dirty may have something in it

	// Only the goroutine of Run uses these.
	running map[string]*container // by UID
	later   map[string]time.Time  // keys of pods to look at again, and when
	beat    time.Time             // when the next heartbeat is due
}

// container is what runs of one pod.
type container struct {
	key     string
	started time.Time // when it runs, or was first seen running
	ready   time.Time // when it is ready; zero for never
	ends    time.Time // when it ends; zero for never
	phase   kit.PodPhase
}

// NewKubelet makes a Kubelet. It starts nothing.
func NewKubelet(options KubeletOptions) *Kubelet {
	if options.Life == nil {
		options.Life = func(*kit.Pod) Life { return Life{} }
	}
	if options.Heartbeat == 0 {
		options.Heartbeat = 10 * time.Second
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Kubelet{
		KubeletOptions: options,
		dirty:          map[string]struct{}{},
		wake:           make(chan struct{}, 1),
		running:        map[string]*container{},
		later:          map[string]time.Time{},
	}
}

// PodHandler marks pods. It never waits for what Run does about them.
func (k *Kubelet) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc:    func(pod *kit.Pod, _ bool) { k.notice(pod) },
		UpdateFunc: func(_, pod *kit.Pod) { k.notice(pod) },
		DeleteFunc: func(pod *kit.Pod, _ bool) { k.notice(pod) },
	}
}

// notice marks a pod, if it is one of this node. A node name that was set is never
// taken back, so the new state of a pod says enough.
func (k *Kubelet) notice(pods ...*kit.Pod) {
	k.mu.Lock()
	for _, pod := range pods {
		if pod.Spec.NodeName == k.Node {
			k.dirty[kit.Key(pod)] = struct{}{}
		}
	}
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default: // a token is there: the goroutine that takes it will see this pod too
	}
}

// Run looks at what is due until ctx is done.
func (k *Kubelet) Run(ctx context.Context) error {
	pods, err := k.PodCache.ByIndex(NodeIndex, k.Node)
	if err != nil {
		return fmt.Errorf("kubelet %s: %w", k.Node, err)
	}
	k.notice(pods...)
	k.beat = time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-k.wake:
		case <-timer.C:
		}
		k.sync(ctx)
		timer.Reset(time.Until(k.next()))
	}
}

// sync does all that is due.
func (k *Kubelet) sync(ctx context.Context) {
	now := time.Now()
	if !now.Before(k.beat) {
		k.heartbeat(ctx)
	}
	due := k.take()
	for key, at := range k.later {
		if !now.Before(at) {
			due[key] = struct{}{}
		}
	}
	for key := range due {
		delete(k.later, key)
		if at := k.look(ctx, key); !at.IsZero() {
			k.later[key] = at
		}
	}
}

func (k *Kubelet) take() map[string]struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	taken := k.dirty
	k.dirty = map[string]struct{}{}
	return taken
}

// retryPause is how long the kubelet waits after a refusal.
const retryPause = 500 * time.Millisecond

// next is when something is due again.
func (k *Kubelet) next() time.Time {
	next := k.beat
	for _, at := range k.later {
		next = earliest(next, at)
	}
	return next
}

// earliest is the earlier of two times that are not zero.
func earliest(a, b time.Time) time.Time {
	if b.IsZero() || !a.IsZero() && a.Before(b) {
		return a
	}
	return b
}

// next is when c changes after now; zero for never.
func (c *container) next(now time.Time) time.Time {
	var next time.Time
	for _, at := range []time.Time{c.started, c.ready, c.ends} {
		if at.After(now) {
			next = earliest(next, at)
		}
	}
	return next
}

// look brings the status of one pod to what runs of it, and says when to look again.
func (k *Kubelet) look(ctx context.Context, key string) time.Time {
	cached, exists := k.PodCache.GetByKey(key)
	if !exists || cached.Spec.NodeName != k.Node || !cached.Active() {
		k.forget(key, "")
		return time.Time{}
	}
	k.forget(key, cached.UID)
	c, now := k.containerOf(cached), time.Now()
	if !c.reported(cached, now) {
		if err := k.write(ctx, cached, c, now); err != nil {
			return now.Add(retryPause)
		}
	}
	return c.next(now)
}

// write reports on a pod, if it is still the one that runs here. The cache is not asked
// about that: it lags.
func (k *Kubelet) write(ctx context.Context, cached *kit.Pod, c *container, now time.Time) error {
	pod, err := k.Pods.Get(ctx, cached.Namespace, cached.Name)
	if kit.IsNotFound(err) {
		return nil // the cache will say so, too
	}
	if err != nil {
		return err
	}
	if pod.UID != cached.UID || pod.Spec.NodeName != k.Node || !pod.Active() || c.reported(pod, now) {
		return nil
	}
	c.report(pod, now)
	if _, err := k.Pods.Update(ctx, pod); err != nil {
		return err
	}
	k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, string(pod.Status.Phase), "The pod is %s, ready: %v", pod.Status.Phase, pod.Status.Ready)
	return nil
}

// forget drops what runs under a key, unless it has this UID.
func (k *Kubelet) forget(key, except string) {
	for uid, c := range k.running {
		if c.key == key && uid != except {
			delete(k.running, uid)
		}
	}
}

// containerOf is what runs of pod. A pod that this kubelet has not seen is started; if
// its status says that it runs, it goes on.
func (k *Kubelet) containerOf(pod *kit.Pod) *container {
	if c := k.running[pod.UID]; c != nil {
		return c
	}
	now, life := time.Now(), k.Life(pod)
	c := &container{key: kit.Key(pod), started: now, phase: life.Phase}
	if c.phase == "" {
		c.phase = kit.PodFailed
	}
	if pod.Status.Phase != kit.PodRunning {
		c.started = now.Add(life.Start)
	}
	if life.Ready >= 0 {
		c.ready = c.started.Add(life.Ready)
	}
	if pod.Status.Phase == kit.PodRunning && pod.Status.Ready {
		c.ready = now
	}
	if life.Ends > 0 {
		c.ends = c.started.Add(life.Ends)
	}
	k.running[pod.UID] = c
	return c
}

// state is what should be said of c.
func (c *container) state(now time.Time) (phase kit.PodPhase, ready bool) {
	switch {
	case now.Before(c.started):
		return kit.PodPending, false
	case !c.ends.IsZero() && !now.Before(c.ends):
		return c.phase, false
	}
	return kit.PodRunning, !c.ready.IsZero() && !now.Before(c.ready)
}

// reported tells whether pod says already what runs of it. That a pod is pending needs
// not be said.
func (c *container) reported(pod *kit.Pod, now time.Time) bool {
	phase, ready := c.state(now)
	return phase == kit.PodPending || pod.Status.Phase == phase && pod.Status.Ready == ready
}

func (c *container) report(pod *kit.Pod, now time.Time) {
	phase, ready := c.state(now)
	if pod.Status.Ready != ready {
		pod.Status.ReadySince = now
	}
	pod.Status.Phase, pod.Status.Ready, pod.Status.Reason = phase, ready, ""
}

// beatTries is how often a heartbeat is tried at once when somebody else changes the node.
const beatTries = 3

// heartbeat says that the node is there.
func (k *Kubelet) heartbeat(ctx context.Context) {
	var err error
	for range beatTries {
		if err = k.report(ctx); !kit.IsConflict(err) && !kit.IsAlreadyExists(err) {
			break
		}
	}
	k.beat = time.Now().Add(k.Heartbeat)
	if err != nil {
		k.beat = time.Now().Add(retryPause)
	}
}

func (k *Kubelet) report(ctx context.Context) error {
	status := kit.NodeStatus{Allocatable: k.Allocatable, Ready: true, Heartbeat: k.Now()}
	node, err := k.Nodes.Get(ctx, "", k.Node)
	if kit.IsNotFound(err) {
		node = kit.Nodes.New()
		node.Name, node.Labels, node.Status = k.Node, k.Labels, status
		_, err = k.Nodes.Create(ctx, node)
		return err
	}
	if err != nil {
		return err
	}
	node.Status = status
	_, err = k.Nodes.Update(ctx, node)
	return err
}

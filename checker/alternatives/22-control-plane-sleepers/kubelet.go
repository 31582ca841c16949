package controlplane

import (
	"context"
	"maps"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Life says what happens to a pod on a simulated node.
type Life struct {
	Start time.Duration // from when the kubelet has seen the pod until it is running
	Ready time.Duration // from then until it is ready; below 0 for never
	Ends  time.Duration // from running until its containers end; 0 or less for never
	Phase kit.PodPhase  // what it has become then: "" is PodFailed
}

// KubeletOptions are the parts and settings of a Kubelet.
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

// Kubelet runs the pods that are bound to one node. The node is simulated: a pod starts,
// gets ready and ends after the times that its Life says.
//
// # Pods
//
// The kubelet ignores pods of other nodes, and of none. For a pod of its own it reports,
// by an update of the status: phase Running after Life.Start; Ready after Life.Ready
// more, if it has not ended by then; and Life.Phase, no longer ready, when it has ended.
// ReadySince is set when Ready changes. A pod that is Succeeded or Failed stays so.
// Stages with a time of 0 may be reported in one update with the next. A report may come
// up to a second late, or later while the API server refuses it, and later ones are due
// as if it had been on time.
//
// A pod is identified by its UID: a deleted one is forgotten, and a new one of the same
// name starts from the beginning. The kubelet never writes to a pod that it has not just
// read: same UID, bound to this node, not being deleted. It does not write an unchanged
// status. If somebody else has marked a ready pod as not ready, the kubelet reports again
// that it is ready.
//
// A kubelet that finds a pod whose phase is neither empty nor Pending did not start it:
// its containers have run on while the kubelet was down. It takes the status as it is,
// and counts the remaining times from when it has seen the pod.
//
// # The node
//
// Within a second of the beginning of Run, and then every Heartbeat, the kubelet reports
// its node: status.ready, status.heartbeat from its own clock, status.allocatable. If there
// is no such node, it creates one. It leaves the rest of the node alone. (Upstream renews a Lease
// object instead, and writes an unchanged Node status only every five minutes.)
//
// The kubelet tries again within a second whatever the API server refuses: a Conflict is
// no reason to lose a report or a heartbeat.
type Kubelet struct {
	KubeletOptions
	wake chan struct{}

	mu    sync.Mutex
	dirty map[string]bool // keys of pods to look at
	ended bool

	running map[string]*container // by key; Run's alone
}

// container is a pod that runs here.
type container struct {
	uid     string
	name    [2]string // namespace, name
	runs    time.Time
	ready   time.Time // zero for never
	ends    time.Time // zero for never
	end     kit.PodPhase
	over    bool // what was seen last says so: it has ended for good
	retry   time.Time
	synced  time.Time // when it was looked at last
	started bool
}

// NewKubelet makes a Kubelet. It starts no goroutine.
func NewKubelet(options KubeletOptions) *Kubelet {
	if options.Life == nil {
		options.Life = func(*kit.Pod) Life { return Life{} }
	}
	if options.Heartbeat <= 0 {
		options.Heartbeat = 10 * time.Second
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	return &Kubelet{
		KubeletOptions: options,
		wake:           make(chan struct{}, 1),
		dirty:          map[string]bool{},
		running:        map[string]*container{},
	}
}

// PodHandler hears of changes of pods: of this node, of others, of none. It never blocks,
// and may be called before Run, during it and after it. The kubelet looks the pod up in
// PodCache.
func (k *Kubelet) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { k.heard(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.Spec.NodeName == k.Node {
				k.heard(old)
			}
			k.heard(pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) { k.heard(pod) },
	}
}

// Run looks at all pods of the node in PodCache, and from then on at those that PodHandler
// hears of. It blocks until ctx is done and then returns nil: the node is lost, the kubelet
// writes nothing from then on, and no goroutine is left. Run is called once.
func (k *Kubelet) Run(ctx context.Context) error {
	var all sync.WaitGroup
	all.Go(func() { k.heartbeats(ctx) })
	k.pods(ctx)
	all.Wait()
	return nil
}

const retryAfter = 500 * time.Millisecond

func (k *Kubelet) heard(pod *kit.Pod) {
	if pod.Spec.NodeName != k.Node {
		return
	}
	k.mu.Lock()
	if !k.ended {
		k.dirty[kit.Key(pod)] = true
	}
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

func (k *Kubelet) takeDirty() map[string]bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	dirty := k.dirty
	k.dirty = map[string]bool{}
	return dirty
}

// pods runs the pods of the node until ctx is done.
func (k *Kubelet) pods(ctx context.Context) {
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.ended, k.dirty = true, nil
	}()
	for first := true; ; first = false {
		dirty := k.takeDirty()
		if first {
			here, err := k.PodCache.ByIndex(NodeIndex, k.Node)
			if err == nil {
				for _, pod := range here {
					dirty[kit.Key(pod)] = true
				}
			}
		}
		now := time.Now()
		for key := range dirty {
			k.look(key, now)
		}
		var next time.Time
		for key, c := range k.running {
			if ctx.Err() != nil {
				return
			}
			now = time.Now()
			if dirty[key] || k.due(c, now) {
				k.sync(ctx, key, c)
			}
			if at := k.nextLook(c); !at.IsZero() && (next.IsZero() || at.Before(next)) {
				next = at
			}
		}
		var alarm <-chan time.Time
		var timer *time.Timer
		if !next.IsZero() {
			timer = time.NewTimer(time.Until(next))
			alarm = timer.C
		}
		select {
		case <-ctx.Done():
		case <-k.wake:
		case <-alarm:
		}
		if timer != nil {
			timer.Stop()
		}
		if ctx.Err() != nil {
			return
		}
	}
}

// look takes in what the cache says of a pod.
func (k *Kubelet) look(key string, now time.Time) {
	pod, ok := k.PodCache.GetByKey(key)
	c := k.running[key]
	if !ok || pod.Spec.NodeName != k.Node || pod.DeletionTimestamp != nil || c != nil && c.uid != pod.UID {
		delete(k.running, key)
		c = nil
	}
	if !ok || pod.Spec.NodeName != k.Node || pod.DeletionTimestamp != nil || c != nil {
		return
	}
	life := k.Life(pod)
	c = &container{uid: pod.UID, name: [2]string{pod.Namespace, pod.Name}, end: life.Phase}
	if c.end == "" {
		c.end = kit.PodFailed
	}
	c.runs = now.Add(max(life.Start, 0))
	ready := life.Ready
	if pod.Status.Phase != "" && pod.Status.Phase != kit.PodPending {
		c.runs, c.started = now, true
		if pod.Status.Ready {
			ready = 0
		}
	}
	if ready >= 0 {
		c.ready = c.runs.Add(ready)
	}
	if life.Ends > 0 {
		c.ends = c.runs.Add(life.Ends)
	}
	k.running[key] = c
}

func reached(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// wanted is the status of c at a time; false while there is nothing to say yet.
func (c *container) wanted(now time.Time) (phase kit.PodPhase, ready, ok bool) {
	switch {
	case !reached(c.runs, now):
		return "", false, false
	case reached(c.ends, now):
		return c.end, false, true
	}
	return kit.PodRunning, reached(c.ready, now), true
}

func isEnd(phase kit.PodPhase) bool { return phase == kit.PodSucceeded || phase == kit.PodFailed }

// due reports whether c is to be looked at without having been heard of.
func (k *Kubelet) due(c *container, now time.Time) bool {
	at := k.nextLook(c)
	return !at.IsZero() && !now.Before(at)
}

// nextLook is when the next stage of c is reached, or the next try is due.
func (k *Kubelet) nextLook(c *container) (next time.Time) {
	if c.over {
		return next
	}
	earliest := func(at time.Time) {
		if !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	earliest(c.retry)
	for _, at := range c.stages() {
		earliest(at)
	}
	return next
}

// stages are the times at which c is to be reported anew.
func (c *container) stages() (times []time.Time) {
	for _, at := range []time.Time{c.runs, c.ready, c.ends} {
		if !at.IsZero() && at.After(c.synced) {
			times = append(times, at)
		}
	}
	return times
}

// sync reports the status of c if it is not what stands there.
func (k *Kubelet) sync(ctx context.Context, key string, c *container) {
	if c.over {
		return
	}
	now := time.Now()
	c.retry, c.synced = time.Time{}, now
	phase, ready, ok := c.wanted(now)
	if !ok {
		return
	}
	cached, exists := k.PodCache.GetByKey(key)
	if exists && cached.UID == c.uid {
		if isEnd(cached.Status.Phase) {
			c.over = true
			return
		}
		if cached.Status.Phase == phase && cached.Status.Ready == ready {
			return
		}
	}
	pod, err := k.Pods.Get(ctx, c.name[0], c.name[1])
	switch {
	case kit.IsNotFound(err):
		delete(k.running, key)
		return
	case err != nil:
		c.retry = now.Add(retryAfter)
		return
	case pod.UID != c.uid || pod.Spec.NodeName != k.Node || pod.DeletionTimestamp != nil:
		delete(k.running, key)
		return
	case isEnd(pod.Status.Phase):
		c.over = true
		return
	case pod.Status.Phase == phase && pod.Status.Ready == ready:
		return
	}
	pod = pod.DeepCopy()
	pod.Status.Phase = phase
	if pod.Status.Ready != ready {
		pod.Status.Ready, pod.Status.ReadySince = ready, now
	}
	if ctx.Err() != nil {
		return
	}
	if _, err := k.Pods.Update(ctx, pod); err != nil {
		c.retry = now.Add(retryAfter)
		return
	}
	c.over = isEnd(phase)
	if !c.started {
		c.started = true
		k.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), kit.EventNormal, "Started", "Started on node %s", k.Node)
	}
}

// heartbeats says that the node is there until ctx is done.
func (k *Kubelet) heartbeats(ctx context.Context) {
	beat := time.NewTicker(k.Heartbeat)
	defer beat.Stop()
	for {
		var again <-chan time.Time
		var timer *time.Timer
		if err := k.heartbeat(ctx); err != nil {
			timer = time.NewTimer(retryAfter)
			again = timer.C
		}
		select {
		case <-ctx.Done():
		case <-again:
		case <-beat.C:
		}
		if timer != nil {
			timer.Stop()
		}
		if ctx.Err() != nil {
			return
		}
	}
}

func (k *Kubelet) heartbeat(ctx context.Context) error {
	if ctx.Err() != nil {
		return nil
	}
	node, err := k.Nodes.Get(ctx, "", k.Node)
	missing := kit.IsNotFound(err)
	if err != nil && !missing {
		return err
	}
	if missing {
		node = kit.Nodes.New()
		node.Name, node.Labels = k.Node, maps.Clone(k.Labels)
	}
	node.Status.Ready, node.Status.Heartbeat, node.Status.Allocatable = true, k.Now(), k.Allocatable
	if ctx.Err() != nil {
		return nil
	}
	if missing {
		_, err = k.Nodes.Create(ctx, node)
	} else {
		_, err = k.Nodes.Update(ctx, node)
	}
	return err
}

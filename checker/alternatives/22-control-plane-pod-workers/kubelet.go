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
	o KubeletOptions

	mu   sync.Mutex
	ctx  context.Context // nil while Run does not
	all  sync.WaitGroup
	pods map[string]*worker // by UID
}

// worker is the goroutine that runs one pod.
type worker struct {
	look chan struct{} // something may have changed
	stop context.CancelFunc
}

// NewKubelet makes a Kubelet. It starts no goroutine.
func NewKubelet(options KubeletOptions) *Kubelet {
	k := &Kubelet{o: options, pods: map[string]*worker{}}
	if k.o.Life == nil {
		k.o.Life = func(*kit.Pod) (life Life) { return life }
	}
	if k.o.Now == nil {
		k.o.Now = time.Now
	}
	if k.o.Heartbeat == 0 {
		k.o.Heartbeat = 10 * time.Second
	}
	return k
}

// PodHandler hears of changes of pods: of this node, of others, of none. It never blocks,
// and may be called before Run, during it and after it. The kubelet looks the pod up in
// PodCache.
func (k *Kubelet) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc:    func(pod *kit.Pod, _ bool) { k.heard(pod) },
		UpdateFunc: func(old, pod *kit.Pod) { k.heard(old); k.heard(pod) },
		DeleteFunc: func(pod *kit.Pod, _ bool) { k.heard(pod) },
	}
}

// Run looks at all pods of the node in PodCache, and from then on at those that PodHandler
// hears of. It blocks until ctx is done and then returns nil: the node is lost, the kubelet
// writes nothing from then on, and no goroutine is left. Run is called once.
func (k *Kubelet) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	k.mu.Lock()
	k.ctx = ctx
	k.all.Add(1)
	k.mu.Unlock()
	go func() {
		defer k.all.Done()
		k.beat(ctx)
	}()
	if pods, err := k.o.PodCache.ByIndex(NodeIndex, k.o.Node); err == nil {
		for _, pod := range pods {
			k.heard(pod)
		}
	}
	<-ctx.Done()
	k.mu.Lock()
	k.ctx = nil
	k.mu.Unlock()
	k.all.Wait()
	return nil
}

// heard sees to it that the pod that stands in the cache now, and no other of its name, has
// a worker, and that this one looks.
func (k *Kubelet) heard(hint *kit.Pod) {
	if hint.Spec.NodeName != k.o.Node {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ctx == nil {
		return
	}
	pod, ok := k.o.PodCache.GetByKey(kit.Key(hint))
	if !ok || pod.UID != hint.UID {
		if w := k.pods[hint.UID]; w != nil {
			w.stop()
			delete(k.pods, hint.UID)
		}
	}
	if !ok || pod.Spec.NodeName != k.o.Node || pod.DeletionTimestamp != nil {
		return
	}
	if w := k.pods[pod.UID]; w != nil {
		select {
		case w.look <- struct{}{}:
		default:
		}
		return
	}
	ctx, stop := context.WithCancel(k.ctx)
	w := &worker{make(chan struct{}, 1), stop}
	k.pods[pod.UID] = w
	k.all.Add(1)
	go func() {
		defer k.all.Done()
		defer stop()
		k.live(ctx, pod, w)
	}()
}

// live runs one pod until ctx is done or the pod is gone.
func (k *Kubelet) live(ctx context.Context, pod *kit.Pod, w *worker) {
	life := k.o.Life(pod)
	var stages []stage
	now := time.Now()
	running := now
	isRunning := pod.Status.Phase != "" && pod.Status.Phase != kit.PodPending
	ended := pod.Status.Phase == kit.PodFailed || pod.Status.Phase == kit.PodSucceeded
	if ended {
		return // for ever
	}
	if !isRunning {
		running = now.Add(life.Start)
	}
	stages = append(stages, stage{running, kit.PodRunning, isRunning && pod.Status.Ready})
	if life.Ready >= 0 && !stages[0].ready {
		stages = append(stages, stage{running.Add(life.Ready), kit.PodRunning, true})
	}
	if life.Ends > 0 {
		end := life.Phase
		if end == "" {
			end = kit.PodFailed
		}
		at := running.Add(life.Ends)
		for len(stages) > 0 && !stages[len(stages)-1].at.Before(at) {
			stages = stages[:len(stages)-1]
		}
		stages = append(stages, stage{at, end, false})
	}
	var now_ *stage
	for {
		for len(stages) > 0 && !time.Now().Before(stages[0].at) {
			now_, stages = &stages[0], stages[1:]
		}
		var alarm *time.Timer
		if now_ != nil {
			if again := k.report(ctx, pod, *now_); again {
				alarm = time.NewTimer(300 * time.Millisecond)
			}
		}
		if alarm == nil && len(stages) > 0 {
			alarm = time.NewTimer(time.Until(stages[0].at))
		}
		var ring <-chan time.Time
		if alarm != nil {
			ring = alarm.C
		}
		select {
		case <-ctx.Done():
			return
		case <-w.look:
		case <-ring:
		}
		if alarm != nil {
			alarm.Stop()
		}
	}
}

// stage is what is to be said of a pod from a time on.
type stage struct {
	at    time.Time
	phase kit.PodPhase
	ready bool
}

// report says what the stage is. It reports whether that has to be tried again.
func (k *Kubelet) report(ctx context.Context, pod *kit.Pod, s stage) (again bool) {
	if ctx.Err() != nil {
		return false
	}
	cached, ok := k.o.PodCache.GetByKey(kit.Key(pod))
	if ok && cached.UID == pod.UID && cached.Status.Phase == s.phase && cached.Status.Ready == s.ready {
		return false
	}
	live, err := k.o.Pods.Get(ctx, pod.Namespace, pod.Name)
	if kit.IsNotFound(err) {
		return false
	}
	if err != nil {
		return true
	}
	over := live.Status.Phase == kit.PodFailed || live.Status.Phase == kit.PodSucceeded
	if live.UID != pod.UID || live.Spec.NodeName != k.o.Node || live.DeletionTimestamp != nil || over {
		return false
	}
	if live.Status.Phase == s.phase && live.Status.Ready == s.ready {
		return false
	}
	live.Status.Phase = s.phase
	if live.Status.Ready != s.ready {
		live.Status.ReadySince = time.Now()
	}
	live.Status.Ready = s.ready
	if ctx.Err() != nil {
		return false
	}
	_, err = k.o.Pods.Update(ctx, live)
	return err != nil
}

// beat says every Heartbeat that the node is there.
func (k *Kubelet) beat(ctx context.Context) {
	next := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if ctx.Err() != nil {
			return
		}
		if k.once(ctx) {
			for !next.After(time.Now()) {
				next = next.Add(k.o.Heartbeat)
			}
			timer.Reset(time.Until(next))
		} else {
			timer.Reset(300 * time.Millisecond)
		}
	}
}

func (k *Kubelet) once(ctx context.Context) (ok bool) {
	status := kit.NodeStatus{Allocatable: k.o.Allocatable, Ready: true, Heartbeat: k.o.Now()}
	node, err := k.o.Nodes.Get(ctx, "", k.o.Node)
	switch {
	case ctx.Err() != nil:
		return true
	case kit.IsNotFound(err):
		node = &kit.Node{TypeMeta: kit.Nodes.New().TypeMeta, Status: status}
		node.Name, node.Labels = k.o.Node, maps.Clone(k.o.Labels)
		_, err = k.o.Nodes.Create(ctx, node)
	case err == nil:
		node.Status = status
		_, err = k.o.Nodes.Update(ctx, node)
	}
	return err == nil
}

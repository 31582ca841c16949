// Package scheduler is lab 21: a controller that gives every pod a node, and no node
// more than it has to give.
package scheduler

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ErrStarted is returned by a Run that is not the first.
var ErrStarted = errors.New("scheduler: it was started already")

// Options are the parts and settings of a Scheduler. Only Pods is needed.
type Options struct {
	Pods     kit.Client[*kit.Pod]
	Filters  []Filter
	Scores   []Score
	Less     func(a, b *kit.Pod) bool // called under the lock
	Workers  int
	Recorder kit.EventRecorder
}

// Pending counts the pods that wait for a node, by the place where they are.
type Pending struct {
	Active        int
	Backoff       int
	Unschedulable int
	InFlight      int // a pod that is being bound is one
}

// Scheduler gives nodes to pods. The stub's documentation is the contract.
//
// It has three parts, each in a file of its own: what is known of nodes, with the pods that
// count on them (cache.go); which pod is next, which one rests and what wakes it (queue.go);
// and one attempt, from the filters to the binding (attempt.go). What is here brings them
// together: the handlers write to cache and queue, the workers take from the queue and try.
//
// A worker decides on a copy of the cache, without a lock, so its decision may be out of
// date. Assuming is the step that settles it: under the lock it looks at the one node again.
type Scheduler struct {
	options Options
	started atomic.Bool
	alarm   chan struct{}  // has room for one: the clock has to look at the queue anew
	binding sync.WaitGroup // bindings under way; only workers add to it

	// One lock for both, because they must agree. A handler that wakes a pod has changed
	// the cache before, within the same critical section; a worker that takes a pod copies
	// the cache later. So the attempt at a pod that was woken sees the change that woke it,
	// and a pod whose attempt began too early is in flight, and the event counts for it.
	mu     sync.Mutex // guards cache and queue; no plugin, client or recorder is called under it
	active *sync.Cond // there is an active pod, or ctx is done
	cache  cache
	queue  queue
}

// New returns a scheduler that does not run yet. It starts no goroutine.
func New(options Options) *Scheduler {
	s := &Scheduler{options: withDefaults(options), alarm: make(chan struct{}, 1), cache: newCache()}
	s.active = sync.NewCond(&s.mu)
	s.queue = newQueue(s.options.Less, s.active.Signal, s.ring)
	return s
}

func withDefaults(o Options) Options {
	if o.Filters == nil {
		o.Filters = []Filter{NodeUnschedulable, NodeReady, NodeSelector, TaintToleration, NodeResourcesFit}
	}
	if o.Scores == nil {
		o.Scores = []Score{{1, LeastAllocated}, {3, PreferUntainted}}
	}
	if o.Less == nil {
		o.Less = func(a, b *kit.Pod) bool { return a.CreationTimestamp.Before(b.CreationTimestamp) }
	}
	if o.Recorder == nil {
		o.Recorder = kit.DiscardEvents{}
	}
	o.Workers = max(o.Workers, 1)
	return o
}

// PodHandler is to be added to an informer of all pods, once. It may be called before Run,
// during it and afterwards, and at the same time as the NodeHandler.
func (s *Scheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) { s.podSeen(pod) },
		UpdateFunc: func(old, pod *kit.Pod) {
			if old.UID != pod.UID { // an informer that missed the deletion makes an update of it
				s.podGone(old)
			}
			s.podSeen(pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) { s.podGone(pod) },
	}
}

// NodeHandler is to be added to an informer of nodes, once. It may be called before Run,
// during it and afterwards, and at the same time as the PodHandler.
func (s *Scheduler) NodeHandler() kit.ResourceEventHandler[*kit.Node] {
	return kit.ResourceEventHandlerFuncs[*kit.Node]{
		AddFunc:    func(node *kit.Node, _ bool) { s.nodeSeen(node) },
		UpdateFunc: func(_, node *kit.Node) { s.nodeSeen(node) },
		DeleteFunc: func(node *kit.Node, _ bool) { s.nodeGone(node) },
	}
}

func (s *Scheduler) podSeen(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ended(pod):
		s.remove(pod)
	case counts(pod):
		s.queue.remove(pod.UID)
		s.place(pod)
	case pod.DeletionTimestamp != nil:
		s.queue.remove(pod.UID) // if it is assumed, the end of its binding says what becomes of that
	case s.cache.has(pod.UID):
		// Old news: we have given it a node since.
	default:
		s.queue.set(pod, time.Now())
	}
}

func (s *Scheduler) podGone(pod *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(pod)
}

// remove is for a pod that no longer counts anywhere. s.mu is held.
func (s *Scheduler) remove(pod *kit.Pod) {
	s.queue.remove(pod.UID)
	if s.cache.remove(pod.UID) {
		s.queue.moveAll(time.Now())
	}
}

// place is for a pod that is known to have a node. s.mu is held.
func (s *Scheduler) place(pod *kit.Pod) {
	if s.cache.place(pod) {
		s.queue.moveAll(time.Now())
	}
}

func (s *Scheduler) nodeSeen(node *kit.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cache.setNode(node) {
		s.queue.moveAll(time.Now())
	}
}

func (s *Scheduler) nodeGone(node *kit.Node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cache.removeNode(node.Name)
}

// ended reports whether pod no longer needs a node, whether or not it has had one.
func ended(pod *kit.Pod) bool {
	return pod.Status.Phase == kit.PodSucceeded || pod.Status.Phase == kit.PodFailed
}

// counts reports whether pod takes room on a node.
func counts(pod *kit.Pod) bool { return pod.Spec.NodeName != "" && !ended(pod) }

// pending reports whether pod waits for a node.
func pending(pod *kit.Pod) bool { return pod.Spec.NodeName == "" && pod.Active() }

// Pending says where the waiting pods are. Any goroutine may call it.
func (s *Scheduler) Pending() Pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.pending()
}

// Run schedules until ctx is done. It returns nil when all attempts, bindings included, have
// ended and no goroutine is left; no pod is taken after the end of ctx, but attempts under
// way may go on, and bind their pods. The caller first waits until both handlers have synced;
// otherwise nodes look emptier than they are.
//
// A scheduler runs once. Every other call, at the same time or later, returns
// ErrStarted at once.
func (s *Scheduler) Run(ctx context.Context) error {
	if !s.started.CompareAndSwap(false, true) {
		return ErrStarted
	}
	var running sync.WaitGroup
	running.Go(func() { s.clock(ctx) })
	for range s.options.Workers {
		running.Go(func() { s.work(ctx) })
	}
	running.Wait()
	s.binding.Wait() // in this order: with the workers gone, nobody adds to it
	return nil
}

// clock moves pods whose time has come. When ctx is done it wakes the workers, which
// cannot wait for that themselves: a sync.Cond knows no channels. It does so under the
// lock, or the news could fall between a worker's look at ctx and its Wait.
func (s *Scheduler) clock(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-s.alarm:
		case <-time.After(s.flush()):
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active.Broadcast()
}

// flush moves the pods that are due and says how long it will be until the next ones are.
func (s *Scheduler) flush() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.queue.flush(time.Now())
}

// ring tells the clock that a pod may be due sooner than it thinks.
func (s *Scheduler) ring() {
	select {
	case s.alarm <- struct{}{}:
	default:
	}
}

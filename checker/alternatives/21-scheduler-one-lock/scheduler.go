// Package scheduler is lab 21 with one lock around all that is known: three heaps of entries, a list
// of nodes that attempts borrow, and a clock that is set anew when something is due earlier.
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
	// Pods binds pods and reads them again. Its calls get the ctx of Run, or one derived
	// from it that ends with it.
	Pods kit.Client[*kit.Pod]

	// Filters say on which nodes a pod may run. nil means the five of this package; an
	// empty list refuses no node.
	Filters []Filter

	// Scores say on which of those nodes a pod runs best. nil means LeastAllocated with
	// the weight 1 and PreferUntainted with the weight 3; with an empty list all are equal.
	Scores []Score

	// Less reports whether a goes before b if both are active (upstream's QueueSort
	// plugin). nil means that the pod created first does (CreationTimestamp). It
	// depends only on its arguments. It is called under a lock, so it must be quick, and
	// may not call the Scheduler. The order of equal pods is left open.
	Less func(a, b *kit.Pod) bool

	// Workers is how many pods are filtered and scored at the same time, each by a
	// goroutine of its own. Binding does not count. 0 means 1, as upstream. It is never negative.
	Workers int

	// Recorder gets an event at the end of each attempt, where one is named below. It may be nil.
	Recorder kit.EventRecorder
}

// Pending counts the pods that wait for a node, by the place where they are. Each is in one place.
type Pending struct {
	Active        int // to be tried as soon as a worker is free
	Backoff       int // to be tried when their backoff is over
	Unschedulable int // to be tried after an event that may help
	InFlight      int // taken by a worker, until the attempt is over, even if the pod is gone by then; those that are being bound are among them
}

// Scheduler gives nodes to pods.
//
// # What it knows
//
// All it knows comes through its two handlers, and through its own writes. A pod
// without a node is pending, unless it is being deleted (DeletionTimestamp) or has ended
// (Succeeded or Failed). A pod with a node counts on that node until it has ended or is
// gone; a pod that is being deleted still counts. It counts whether or not the node is
// known yet, and also if the node goes away and comes back. Once a pod is gone and its
// attempt is over, nothing about it is kept in memory, not even the name of its node,
// unless that node is known or has other pods.
//
// The latest call of the handlers is what counts, with one exception: a notification that
// shows a pod without a node, though it has been bound or was reported on one, is old: it
// changes nothing, unless it shows that the pod has ended. A notification that shows a pod as
// pending after it has ended, or after it was marked for deletion, may be treated in any way:
// neither is ever taken back.
//
// Their UIDs distinguish pods. If an update brings another UID, the old pod is gone, and
// the new one is another pod that has nothing to do with the first. OnDelete says that the
// pod with the UID of obj is gone, however old obj is (finalStateUnknown). Names
// distinguish nodes: one that is deleted and comes back is the same node, changed.
//
// # An attempt
//
// A worker takes the first active pod; from then on the pod is in flight. Then
//
//   - filter: the worker passes nodes to the filters; those that no filter refuses are
//     feasible (after one refusal of a node the other filters need not be called for it). When
//     NumFeasibleNodesToFind(n) of them are found, n being the number of known nodes, the
//     worker looks at no more nodes. The next attempt begins where this one has stopped, so
//     that all nodes have their turn. This need not be exact to the node: several workers
//     overlap, and nodes come and go.
//   - score: the worker passes every feasible node to every Score. The node with the
//     highest sum of score times weight wins; among equals any may win. If only one node
//     is feasible, the scores need not be called.
//   - assume: from this moment the pod counts on the node, long before any informer
//     reports it. At this moment no filter refuses the node as it is known then: if the node or
//     the pod has changed since the filters saw them, the filters are called again, and if one
//     refuses the node now, or it is gone, the worker looks for another node in the same
//     attempt. The scores need not be called again.
//   - bind: the pod as it was last seen at that moment, with Spec.NodeName set and nothing
//     else changed, is passed to Update of the client. Another goroutine does that, one for
//     each binding: a slow Update or Get keeps neither a worker nor another binding waiting.
//
// Nothing is assumed or bound for a pod that is no longer pending, nor for one that
// counts on a node already: an old notification, without a node, about a pod that has been
// assumed or bound or was reported on a node does not start another attempt. There is never
// more than one attempt for a pod at the same time. If a pod is reported gone during its
// attempt, and then it is there again with the same UID, it is still the same pod, and its
// attempt goes on; if it was assumed or reported on a node before it was gone, it is left open,
// until a handler reports it on a node, whether it counts there and whether a notification
// without a node is an old one.
//
// An object that came through a handler is shared with others: the Scheduler never
// writes to it. No lock that a handler or Pending needs is held while a filter, a score, the
// client or the recorder is called (Less is the exception).
//
// # How an attempt ends
//
// The pod is bound: Update has returned no error. The recorder gets the event Scheduled,
// of type Normal.
//
// No node is feasible: the pod goes to the unschedulable queue, or to the backoff queue if
// something happened meanwhile that moves pods (see below). Either way the recorder gets
// FailedScheduling, of type Warning, and its message contains the text of each different error
// with which the filters refuse the nodes, in the state in which the worker has seen them last. A
// pod never becomes unschedulable before the worker has looked at every node that was known when
// the attempt began.
//
// The pod is no longer pending when it is to be assumed, or when no node is feasible: the
// attempt is over, and the recorder gets no event.
//
// Update has failed: that does not mean that nothing was written. The pod is read again
// with Get, while it still counts on the node. Unless a handler has said that it is gone or has
// ended, or where it is (see below; then Get need not be called), the first of these that is true
// decides:
//
//   - It is the same pod, has a node and has not ended: from now on it counts there, and the
//     attempt is over, without an event. A node that somebody else has given it is never
//     overwritten.
//   - It is not found, has another UID or has ended, or Get or a handler says that it is being
//     deleted: it counts nowhere, and the attempt is over, without an event.
//   - Otherwise, and also if Get has failed, it counts nowhere and goes to the backoff queue, as
//     it was read. The recorder gets FailedScheduling, of type Warning, with any message. If Get
//     has failed, it is left open whether the pod goes there as the one of which that Update was
//     made, which has no node, or as a handler has shown it since.
//
// If a handler has reported during the attempt that the pod is gone or has ended, or where it is,
// that report stands, whatever Update and Get return, until a later one. A pod that is marked for
// deletion while it is being bound counts if Update succeeds. Whenever a pod stops counting on a
// node, that is an event (see below).
//
// # The three queues
//
// A pod that becomes pending is active. After its n-th failed attempt it has a backoff of
// 2ⁿ⁻¹ seconds, and of ten at most, counted from the end of the attempt. It is never tried
// before the backoff is over. As long as the pod exists, n is never reset. The times
// and moves below hold while Run is running.
//
//   - active: to be tried at once.
//   - backoff: becomes active when its backoff is over, at most one second later.
//   - unschedulable: waits for an event. If none moves it for five minutes, the pod is tried
//     again anyway, at most 30 seconds later.
//
// These events move every unschedulable pod, to the backoff queue while its backoff is
// not over, and to the active one afterwards:
//
//   - a node is added;
//   - a node's allocatable resources, labels or taints change, or Spec.Unschedulable
//     or Status.Ready does;
//   - a pod stops counting on a node: it is gone, it has ended, its binding has failed, or it
//     turns out to be on another node.
//
// A change of a pod's own spec or labels since it was last seen moves this pod alone, to the
// same queues. All other events move nothing: a heartbeat or an annotation of a node, a
// status, a resync. It is left open whether a change that cannot help moves pods (a taint that
// is added, a node that shrinks, a map that was nil and is empty), and also whether a change
// of the requests of a pod on a node does.
//
// An event that would move a pod also counts if it comes while the pod is in flight. If its
// attempt finds no node, the pod goes to the backoff queue instead of the unschedulable one,
// because the attempt may have looked at the state before the event.
//
// Upstream: kubernetes pkg/scheduler, schedule_one.go, eventhandlers.go, backend/queue and
// backend/cache. There, queueing hints ask each plugin whether an event can help its pods.
type Scheduler struct {
	client   kit.Client[*kit.Pod]
	filters  []Filter
	scores   []Score
	workers  int
	recorder kit.EventRecorder

	started atomic.Bool
	group   sync.WaitGroup // all that Run has started
	rewind  chan struct{}  // tells the clock that something is due earlier

	mu   sync.Mutex
	work sync.Cond // there is an active pod, or ctx is done

	pods map[string]*entry // by UID
	seq  uint64

	active, backoff, unschedulable entries
	flying                         int
	moves                          uint64 // how many events there were

	nodes     map[string]*nodeState // those that are known, and those on which pods count
	order     []*nodeState          // those that are known
	orderLent bool                  // an attempt may read order without the lock
	next      int                   // where in order the next attempt begins
	versions  uint64
}

// New returns a scheduler that does not run yet. New starts no goroutine.
func New(options Options) *Scheduler {
	s := &Scheduler{
		client:   options.Pods,
		filters:  options.Filters,
		scores:   options.Scores,
		workers:  max(options.Workers, 1),
		recorder: options.Recorder,
		rewind:   make(chan struct{}, 1),
		pods:     map[string]*entry{},
		nodes:    map[string]*nodeState{},
	}
	if s.filters == nil {
		s.filters = []Filter{NodeResourcesFit, NodeSelector, TaintToleration, NodeUnschedulable, NodeReady}
	}
	if s.scores == nil {
		s.scores = []Score{{1, LeastAllocated}, {3, PreferUntainted}}
	}
	if s.recorder == nil {
		s.recorder = kit.DiscardEvents{}
	}
	less := options.Less
	if less == nil {
		less = func(a, b *kit.Pod) bool { return a.CreationTimestamp.Before(b.CreationTimestamp) }
	}
	s.work.L = &s.mu
	s.active.less = func(a, b *entry) bool {
		if less(a.pod, b.pod) {
			return true
		}
		return !less(b.pod, a.pod) && a.seq < b.seq
	}
	s.backoff.less, s.unschedulable.less = byDue, byDue
	return s
}

// PodHandler returns the handler to be added to an informer of all pods, once. It may be
// called before Run, during it and afterwards, and at the same time as the NodeHandler.
func (s *Scheduler) PodHandler() kit.ResourceEventHandler[*kit.Pod] {
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc: func(pod *kit.Pod, _ bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.told(pod)
		},
		UpdateFunc: func(old, pod *kit.Pod) {
			s.mu.Lock()
			defer s.mu.Unlock()
			if old.UID != pod.UID {
				s.vanished(old.UID)
			}
			s.told(pod)
		},
		DeleteFunc: func(pod *kit.Pod, _ bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.vanished(pod.UID)
		},
	}
}

// NodeHandler returns the handler to be added to an informer of nodes, once. It may be
// called before Run, during it and afterwards, and at the same time as the PodHandler.
func (s *Scheduler) NodeHandler() kit.ResourceEventHandler[*kit.Node] {
	set := func(node *kit.Node) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.setNode(node)
	}
	return kit.ResourceEventHandlerFuncs[*kit.Node]{
		AddFunc:    func(node *kit.Node, _ bool) { set(node) },
		UpdateFunc: func(_, node *kit.Node) { set(node) },
		DeleteFunc: func(node *kit.Node, _ bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.removeNode(node.Name)
		},
	}
}

// Pending says where the waiting pods are. Any goroutine may call it.
func (s *Scheduler) Pending() Pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Pending{
		Active:        s.active.Len(),
		Backoff:       s.backoff.Len(),
		Unschedulable: s.unschedulable.Len(),
		InFlight:      s.flying,
	}
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
	s.group.Go(func() { s.clock(ctx) })
	for range s.workers {
		s.group.Go(func() {
			for e := s.nextPod(ctx); e != nil; e = s.nextPod(ctx) {
				s.attempt(ctx, e)
			}
		})
	}
	s.group.Wait()
	return nil
}

// clock moves pods whose time has come, until ctx is done; then it wakes the workers.
func (s *Scheduler) clock(ctx context.Context) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		s.mu.Lock()
		next := s.ripe()
		s.mu.Unlock()
		if next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(next))
		}
		select {
		case <-timer.C:
		case <-s.rewind:
		case <-ctx.Done():
			s.mu.Lock()
			s.work.Broadcast()
			s.mu.Unlock()
			return
		}
	}
}

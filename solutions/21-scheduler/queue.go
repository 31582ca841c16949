package scheduler

import (
	"container/heap"
	"maps"
	"math"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

const (
	initialBackoff   = time.Second
	maxBackoff       = 10 * time.Second
	maxUnschedulable = 5 * time.Minute
)

// queue holds the pods that wait for a node, each in exactly one place: in one of three
// heaps, or in flight. The Scheduler's mu guards it.
//
// What comes while pods are in flight need not be remembered, only counted: a pod that is
// not bound at the end of its attempt asks whether the count has changed since it was
// taken. Upstream keeps a list of all these events, because there a plugin looks at each
// of them. A list has to be cleared again, and twice pods were left in it for ever: one
// that was skipped (kubernetes#120622) and one that was entered twice (kubernetes#127016).
type queue struct {
	entries  map[string]*entry // by UID, those in flight too
	inFlight int
	events   uint64 // how many events have come that move all
	arrivals uint64 // how many times a pod has become active

	active, backoff, unschedulable podHeap

	wake func() // called when a pod becomes active
	ring func() // called when the time of flush changes
}

// entry is a pod that waits for a node.
type entry struct {
	pod      *kit.Pod
	failures int       // attempts that have failed
	rested   time.Time // when the backoff of the last failure is over

	// in is the heap, at index; nil while the pod is in flight.
	in    *podHeap
	index int
	order uint64    // among active pods: when it became active
	until time.Time // in the other heaps: when it leaves by itself

	// These count while the pod is in flight.
	began   uint64 // events when it was taken
	changed bool   // its own spec or labels have changed since
	gone    bool   // it is no longer pending: the attempt comes to nothing
}

func newQueue(less func(a, b *kit.Pod) bool, wake, ring func()) queue {
	byTurn := func(a, b *entry) bool {
		return less(a.pod, b.pod) || !less(b.pod, a.pod) && a.order < b.order
	}
	byTime := func(a, b *entry) bool { return a.until.Before(b.until) }
	return queue{
		entries:       map[string]*entry{},
		active:        podHeap{less: byTurn},
		backoff:       podHeap{less: byTime},
		unschedulable: podHeap{less: byTime},
		wake:          wake,
		ring:          ring,
	}
}

// set adds a pending pod, or takes over a change of one.
func (q *queue) set(pod *kit.Pod, now time.Time) {
	e := q.entries[pod.UID]
	if e == nil {
		e = &entry{pod: pod}
		q.entries[pod.UID] = e
		q.activate(e)
		return
	}
	changed := !kit.Pods.SameSpec(e.pod, pod) || !maps.Equal(e.pod.Labels, pod.Labels)
	e.pod, e.gone = pod, false
	switch {
	case e.in == nil:
		e.changed = e.changed || changed
	case e.in == &q.unschedulable && changed:
		q.move(e, now)
	default:
		heap.Fix(e.in, e.index) // its turn may be another now
	}
}

// remove is for a pod that is no longer pending. One in flight stays until its attempt
// has ended: so a pod has never more than one attempt.
func (q *queue) remove(uid string) {
	e := q.entries[uid]
	switch {
	case e == nil:
	case e.in == nil:
		e.gone = true
	default:
		heap.Remove(e.in, e.index)
		delete(q.entries, uid)
	}
}

// take takes the first active pod, which there is.
func (q *queue) take() *entry {
	e := heap.Pop(&q.active).(*entry)
	q.inFlight++
	e.began, e.changed = q.events, false
	return e
}

// done ends an attempt after which there is nothing left to do.
func (q *queue) done(e *entry) {
	q.inFlight--
	delete(q.entries, e.pod.UID)
}

// refused ends an attempt that has found no node. It reports false if the pod is no
// longer pending.
func (q *queue) refused(e *entry, now time.Time) bool {
	if q.overtaken(e) {
		return q.failed(e, now)
	}
	if !q.back(e, now) {
		return false
	}
	q.put(&q.unschedulable, e, now.Add(maxUnschedulable))
	return true
}

// overtaken reports whether something has happened since e was taken that may help, and
// that the attempt may not have seen.
func (q *queue) overtaken(e *entry) bool { return e.began != q.events || e.changed }

// failed ends an attempt that is to be repeated as soon as the backoff is over. It
// reports false if the pod is no longer pending.
func (q *queue) failed(e *entry, now time.Time) bool {
	if !q.back(e, now) {
		return false
	}
	q.put(&q.backoff, e, e.rested)
	return true
}

// back ends a failed attempt. If the pod is still pending the caller puts it somewhere.
func (q *queue) back(e *entry, now time.Time) bool {
	if e.gone {
		q.done(e)
		return false
	}
	q.inFlight--
	e.failures++
	e.rested = now.Add(backoffAfter(e.failures))
	return true
}

// backoffAfter doubles with each failure. After the fourth it does not matter how many.
func backoffAfter(failures int) time.Duration {
	return min(initialBackoff<<min(failures-1, 4), maxBackoff)
}

// moveAll is what an event does that may help any pod: to the waiting ones now, and to
// those in flight when their attempt ends.
func (q *queue) moveAll(now time.Time) {
	q.events++
	for len(q.unschedulable.entries) > 0 {
		q.move(q.unschedulable.entries[len(q.unschedulable.entries)-1], now) // from the end: nothing has to sink
	}
}

// move takes a pod out of its heap and makes it active as soon as its backoff allows.
func (q *queue) move(e *entry, now time.Time) {
	heap.Remove(e.in, e.index)
	if now.Before(e.rested) {
		q.put(&q.backoff, e, e.rested)
	} else {
		q.activate(e)
	}
}

func (q *queue) activate(e *entry) {
	q.arrivals++
	e.order = q.arrivals
	q.active.push(e)
	q.wake()
}

// put makes e wait in h until then.
func (q *queue) put(h *podHeap, e *entry, until time.Time) {
	e.until = until
	h.push(e)
	if e.index == 0 {
		q.ring()
	}
}

// flush moves every pod whose time has come, and says how long it will be until the next.
func (q *queue) flush(now time.Time) time.Duration {
	next := time.Duration(math.MaxInt64)
	for _, h := range []*podHeap{&q.backoff, &q.unschedulable} {
		for len(h.entries) > 0 && !now.Before(h.entries[0].until) {
			q.move(h.entries[0], now)
		}
		if len(h.entries) > 0 {
			next = min(next, h.entries[0].until.Sub(now))
		}
	}
	return next
}

func (q *queue) pending() Pending {
	return Pending{
		Active:        len(q.active.entries),
		Backoff:       len(q.backoff.entries),
		Unschedulable: len(q.unschedulable.entries),
		InFlight:      q.inFlight,
	}
}

// podHeap is a heap.Interface whose entries know where they stand.
type podHeap struct {
	less    func(a, b *entry) bool
	entries []*entry
}

func (h *podHeap) push(e *entry) {
	e.in = h
	heap.Push(h, e)
}

// Len is how many entries there are.
func (h *podHeap) Len() int { return len(h.entries) }

// Less compares the entries at i and j.
func (h *podHeap) Less(i, j int) bool { return h.less(h.entries[i], h.entries[j]) }

// Swap makes the entries at i and j change places.
func (h *podHeap) Swap(i, j int) {
	h.entries[i], h.entries[j] = h.entries[j], h.entries[i]
	h.entries[i].index, h.entries[j].index = i, j
}

// Push appends an entry. It is for package heap.
func (h *podHeap) Push(x any) {
	e := x.(*entry)
	e.index = len(h.entries)
	h.entries = append(h.entries, e)
}

// Pop takes the last entry off. It is for package heap.
func (h *podHeap) Pop() any {
	last := len(h.entries) - 1
	e := h.entries[last]
	h.entries[last] = nil // or the array would keep the pod
	h.entries = h.entries[:last]
	e.in = nil
	return e
}

// Package delayingqueue is lab 11: a work queue to which items can be added later.
// It is what makes "try again in five seconds" cost one entry in a heap, and not a
// goroutine that sleeps.
package delayingqueue

import (
	"container/heap"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DelayingQueue is a work queue with AddAfter. The stub's documentation is the contract.
//
// One goroutine, loop, owns the heap and the timer. Nobody else touches them, so
// they need no lock, and no lock is held while the queue underneath is called.
// Callers of AddAfter hand their items over through a channel: the send happens
// before the receive, and that is all the order there has to be.
type DelayingQueue[T comparable] struct {
	kit.Queue[T] // the queue underneath: where items go when they are ready

	incoming chan delayed[T] // from AddAfter to loop; never closed, because it has many senders
	stop     chan struct{}   // closed by the first shutdown
	stopOnce sync.Once       // a channel can be closed once
}

var _ kit.DelayingQueue[string] = (*DelayingQueue[string])(nil)

// delayed is an item and the moment at which it is to be added.
type delayed[T any] struct {
	item    T
	readyAt time.Time
}

// New returns a delaying queue over q and starts its loop.
func New[T comparable](q kit.Queue[T]) *DelayingQueue[T] {
	d := &DelayingQueue[T]{
		Queue: q,
		// A burst of retries, as when the API server goes away, should not have to
		// wait for the loop one by one. The size is client-go's.
		incoming: make(chan delayed[T], 1000),
		stop:     make(chan struct{}),
	}
	go d.loop()
	return d
}

// AddAfter adds item when duration has passed.
//
// The moment is fixed here and not in the loop: a loop that waits for a slow
// queue would add its own delay to the caller's.
//
// The look at ShuttingDown is not for speed. After the shutdown both cases of the
// select are ready, as long as the channel has room, and a select picks one of these
// at random.
func (d *DelayingQueue[T]) AddAfter(item T, duration time.Duration) {
	if d.ShuttingDown() {
		return
	}
	if duration <= 0 {
		d.Add(item)
		return
	}
	select {
	case d.incoming <- delayed[T]{item, time.Now().Add(duration)}:
	case <-d.stop: // nobody will receive again
	}
}

// ShutDown shuts the queue underneath down and drops all that waits.
//
// The queue underneath comes first, so that the loop cannot add anything more, and
// outside the Once: every ShutDown must wake a goroutine that drains.
func (d *DelayingQueue[T]) ShutDown() {
	d.Queue.ShutDown()
	d.end()
}

// ShutDownWithDrain drops all that waits, and drains the queue underneath. It is
// tempting to drain within the Once. But a Once keeps everybody waiting until its
// function has returned, and ShutDown, which could end the drain, would wait too.
func (d *DelayingQueue[T]) ShutDownWithDrain() {
	d.end()
	d.Queue.ShutDownWithDrain()
}

// end releases the loop and every caller that is blocked in AddAfter. It does not
// wait for the loop: the loop may be in an Add of the queue underneath, and if that
// waits for the caller of end, neither would ever return.
func (d *DelayingQueue[T]) end() {
	d.stopOnce.Do(func() { close(d.stop) })
}

// loop receives what AddAfter hands over and adds it when its moment has come,
// until the queue is shut down.
func (d *DelayingQueue[T]) loop() {
	w := waiting[T]{entries: make(map[T]*entry[T])}
	// One timer for all, set to the earliest moment. Since Go 1.23 neither Stop nor
	// Reset leaves an old tick in the channel.
	timer := time.NewTimer(0)
	timer.Stop()
	defer timer.Stop()
	for {
		d.release(&w, timer)
		select {
		case <-d.stop:
			return
		case <-timer.C:
			w.armed = time.Time{}
		case in := <-d.incoming:
			w.put(in)
			d.receive(&w)
		}
	}
}

// receive takes over what else is in the channel, so that a burst costs one look at
// the clock and the timer. It takes no more than is there now: producers that never
// pause must not keep what is ready from being added.
func (d *DelayingQueue[T]) receive(w *waiting[T]) {
	for range len(d.incoming) {
		w.put(<-d.incoming)
	}
}

// release adds every item whose moment has come, and sets the timer to the next. It
// looks at the clock for each: while the queue underneath is slow to add one, the
// moments of others come.
func (d *DelayingQueue[T]) release(w *waiting[T], timer *time.Timer) {
	for len(w.heap) > 0 && !w.heap[0].readyAt.After(time.Now()) {
		d.Add(w.pop())
	}
	if len(w.heap) > 0 && !w.heap[0].readyAt.Equal(w.armed) {
		w.armed = w.heap[0].readyAt
		timer.Reset(time.Until(w.armed))
	}
}

// waiting holds the items that wait: a heap to know which is next, and a map to
// find the one that AddAfter was called for again. It is the loop's alone.
type waiting[T comparable] struct {
	heap    byMoment[T]
	entries map[T]*entry[T] // what is in heap, by item
	armed   time.Time       // the moment the timer is set to; zero once it has fired
}

// entry is a delayed item with its place in the heap, which heap.Fix asks for.
type entry[T any] struct {
	delayed[T]
	index int
}

// put takes in an item, or moves one that waits already to an earlier moment. A
// later moment is forgotten: somebody wants the item sooner.
func (w *waiting[T]) put(in delayed[T]) {
	known, ok := w.entries[in.item]
	if !ok {
		e := &entry[T]{delayed: in}
		w.entries[in.item] = e
		heap.Push(&w.heap, e)
		return
	}
	if in.readyAt.Before(known.readyAt) {
		known.readyAt = in.readyAt
		heap.Fix(&w.heap, known.index)
	}
}

// pop takes out the item with the earliest moment.
func (w *waiting[T]) pop() T {
	e := heap.Pop(&w.heap).(*entry[T])
	delete(w.entries, e.item)
	return e.item
}

// byMoment is a heap.Interface with the earliest moment at index 0. Every method
// that moves an entry keeps its index true.
type byMoment[T any] []*entry[T]

func (h byMoment[T]) Len() int           { return len(h) }
func (h byMoment[T]) Less(i, j int) bool { return h[i].readyAt.Before(h[j].readyAt) }

func (h byMoment[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index = i
	h[j].index = j
}

// Push is for heap.Push alone.
func (h *byMoment[T]) Push(x any) {
	e := x.(*entry[T])
	e.index = len(*h)
	*h = append(*h, e)
}

// Pop is for heap.Pop alone. It clears the slot, or the array would keep the entry.
func (h *byMoment[T]) Pop() any {
	old := *h
	last := len(old) - 1
	e := old[last]
	old[last] = nil
	*h = old[:last]
	return e
}

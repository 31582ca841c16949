package queues

import (
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Plain is the work queue under a layer that is the subject: one lock, one condition, and a
// memory of what was added and when. Its Add can be made slow for one item.
type Plain struct {
	t     *conform.T
	actor *conform.Actor

	mu         sync.Mutex // guards the fields below
	changed    sync.Cond
	added      []Addition
	late       []Addition
	queue      []string
	dirty      map[string]bool
	processing map[string]bool
	shut       bool
	draining   bool
	slow       map[string]chan struct{} // an Add of the item waits for the channel
}

var _ kit.Queue[string] = (*Plain)(nil)

// Addition is an item and the moment at which it was added.
type Addition struct {
	Item string
	At   time.Duration
}

// NewPlain is an empty queue.
func NewPlain(t *conform.T) *Plain {
	q := &Plain{
		t:          t,
		actor:      t.Named("queue"),
		dirty:      map[string]bool{},
		processing: map[string]bool{},
		slow:       map[string]chan struct{}{},
	}
	q.changed.L = &q.mu
	return q
}

// Added is every Add before the shutdown, in order.
func (q *Plain) Added() []Addition {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.added)
}

// Late is every Add after the shutdown, in order. The queue has ignored them.
func (q *Plain) Late() []Addition {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.late)
}

// Hold makes the next Add of item block until the returned function is called.
func (q *Plain) Hold(item string) (release func()) {
	gate := make(chan struct{})
	q.mu.Lock()
	defer q.mu.Unlock()
	q.slow[item] = gate
	return func() {
		q.actor.Note("Add(%q) may go on", item)
		close(gate)
	}
}

// gate is the channel an Add of item has to wait for, if any.
func (q *Plain) gate(item string) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	gate := q.slow[item]
	delete(q.slow, item)
	return gate
}

// Add queues item, or marks it dirty.
func (q *Plain) Add(item string) {
	if gate := q.gate(item); gate != nil {
		q.actor.Note("Add(%q) arrives and is slow", item)
		<-gate // no lock is held: all other methods work
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shut {
		q.actor.Note("Add(%q) arrives after the shutdown, and is ignored", item)
		q.late = append(q.late, Addition{item, q.t.Elapsed()})
		return
	}
	q.actor.Note("Add(%q) arrives", item)
	q.added = append(q.added, Addition{item, q.t.Elapsed()})
	if q.dirty[item] {
		return
	}
	q.dirty[item] = true
	if !q.processing[item] {
		q.queue = append(q.queue, item)
		q.changed.Broadcast()
	}
}

// Len is how many items are queued.
func (q *Plain) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.queue)
}

// Get takes the first item, or waits for one.
func (q *Plain) Get() (item string, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shut {
		q.changed.Wait()
	}
	if len(q.queue) == 0 {
		return "", true
	}
	item, q.queue = q.queue[0], q.queue[1:]
	delete(q.dirty, item)
	q.processing[item] = true
	return item, false
}

// Done ends the work on item and queues it again if it is dirty.
func (q *Plain) Done(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.actor.Note("Done(%q) arrives", item)
	if !q.processing[item] {
		q.actor.Breaks("Done(%q) arrives, and nobody works on it", item)
	}
	delete(q.processing, item)
	if q.dirty[item] {
		q.queue = append(q.queue, item)
	}
	q.changed.Broadcast()
}

// ShutDown ends the queue, and a drain.
func (q *Plain) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.actor.Note("ShutDown() arrives")
	q.shut, q.draining = true, false
	q.changed.Broadcast()
}

// ShutDownWithDrain ends the queue and waits until nothing is queued or being processed.
func (q *Plain) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.actor.Note("ShutDownWithDrain() arrives")
	q.shut, q.draining = true, true
	q.changed.Broadcast()
	for q.draining && len(q.queue)+len(q.processing) > 0 {
		q.changed.Wait()
	}
}

// ShuttingDown reports whether the queue was shut down.
func (q *Plain) ShuttingDown() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.shut
}

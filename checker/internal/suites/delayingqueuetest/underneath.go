package delayingqueuetest

import (
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// underneath is the queue under the subject: a plain work queue that writes down
// what is added to it and when, and whose Add can be made slow for one item.
type underneath struct {
	t     *conform.T
	actor *conform.Actor

	mu         sync.Mutex // guards the fields below
	changed    sync.Cond
	added      []addition // every Add that counted
	queue      []string
	dirty      map[string]bool
	processing map[string]bool
	shut       bool
	draining   bool
	slow       map[string]chan struct{} // an Add of the item waits for the channel
}

var _ kit.Queue[string] = (*underneath)(nil)

// addition is an item and the moment at which it was added.
type addition struct {
	Item string
	At   time.Duration
}

func newUnderneath(t *conform.T) *underneath {
	u := &underneath{
		t:          t,
		actor:      t.Named("queue"),
		dirty:      map[string]bool{},
		processing: map[string]bool{},
		slow:       map[string]chan struct{}{},
	}
	u.changed.L = &u.mu
	return u
}

// hold makes the next Add of item block until the returned function is called.
func (u *underneath) hold(item string) (release func()) {
	gate := make(chan struct{})
	u.mu.Lock()
	defer u.mu.Unlock()
	u.slow[item] = gate
	return func() {
		u.actor.Note("Add(%q) may go on", item)
		close(gate)
	}
}

// gate is the channel an Add of item has to wait for, if any.
func (u *underneath) gate(item string) chan struct{} {
	u.mu.Lock()
	defer u.mu.Unlock()
	gate := u.slow[item]
	delete(u.slow, item)
	return gate
}

func (u *underneath) Add(item string) {
	if gate := u.gate(item); gate != nil {
		u.actor.Note("Add(%q) arrives and is slow", item)
		<-gate // no lock is held: all other methods work
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.shut {
		return
	}
	u.actor.Note("Add(%q) arrives", item)
	u.added = append(u.added, addition{item, u.t.Elapsed()})
	if u.dirty[item] {
		return
	}
	u.dirty[item] = true
	if !u.processing[item] {
		u.queue = append(u.queue, item)
		u.changed.Broadcast()
	}
}

func (u *underneath) Len() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.queue)
}

func (u *underneath) Get() (string, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.queue) == 0 && !u.shut {
		u.changed.Wait()
	}
	if len(u.queue) == 0 {
		return "", true
	}
	item := u.queue[0]
	u.queue = u.queue[1:]
	u.processing[item] = true
	delete(u.dirty, item)
	return item, false
}

func (u *underneath) Done(item string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.processing, item)
	if u.dirty[item] {
		u.queue = append(u.queue, item)
	}
	u.changed.Broadcast()
}

func (u *underneath) ShutDown() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.shut, u.draining = true, false
	u.changed.Broadcast()
}

func (u *underneath) ShutDownWithDrain() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.shut, u.draining = true, true
	u.changed.Broadcast()
	for u.draining && len(u.queue)+len(u.processing) > 0 {
		u.changed.Wait()
	}
}

func (u *underneath) ShuttingDown() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.shut
}

// soFar is every Add that counted, in order.
func (u *underneath) soFar() []addition {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.added)
}

// Package workqueue is lab 10 with one owner: a goroutine that runs every call's
// function in turn, until the queue is shut down. From then on a lock does.
package workqueue

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Queue is a first-in-first-out queue of items that need work, with the semantics of
// client-go's workqueue.Typed.
type Queue[T comparable] struct {
	cmds chan func(*core[T]) // to the owner, until it has ended
	gone chan struct{}       // closed when the owner has ended

	mu   sync.Mutex // guards core once the owner has ended
	core *core[T]
}

var _ kit.Queue[string] = (*Queue[string])(nil)

// New returns an empty queue.
func New[T comparable]() *Queue[T] {
	q := &Queue[T]{
		cmds: make(chan func(*core[T])),
		gone: make(chan struct{}),
		core: &core[T]{st: map[T]*st{}},
	}
	go func() {
		defer close(q.gone)
		for !q.core.down {
			(<-q.cmds)(q.core)
		}
	}()
	return q
}

// Add marks item as needing work.
func (q *Queue[T]) Add(item T) {
	q.do(func(c *core[T]) {
		if !c.down {
			c.add(item)
		}
	})
}

// Len is how many items are queued.
func (q *Queue[T]) Len() int {
	var n int
	q.do(func(c *core[T]) { n = len(c.queue) })
	return n
}

// Get takes the item at the head of the queue, which is being processed from then on,
// and returns it and false.
func (q *Queue[T]) Get() (item T, shutdown bool) {
	for {
		var wait chan struct{}
		got := false
		q.do(func(c *core[T]) {
			switch {
			case len(c.queue) > 0:
				item, got = c.take(), true
			case c.down:
				shutdown = true
			default:
				wait = make(chan struct{})
				c.waiting = append(c.waiting, wait)
			}
		})
		if got || shutdown {
			return item, shutdown
		}
		<-wait
	}
}

// Done says that the work on item has ended.
func (q *Queue[T]) Done(item T) {
	q.do(func(c *core[T]) { c.done(item) })
}

// ShutDown makes the queue ignore every further Add and wakes all who wait in Get.
func (q *Queue[T]) ShutDown() {
	q.do(func(c *core[T]) {
		c.shut()
		c.wakeDrains()
	})
	<-q.gone
}

// ShutDownWithDrain does what ShutDown does and then blocks for as long as an item is
// being processed, or until ShutDown is called.
func (q *Queue[T]) ShutDownWithDrain() {
	var wait chan struct{}
	q.do(func(c *core[T]) {
		c.shut()
		if c.held > 0 {
			wait = make(chan struct{})
			c.drains = append(c.drains, wait)
		}
	})
	if wait != nil {
		<-wait
	}
	<-q.gone
}

// ShuttingDown reports whether ShutDown or ShutDownWithDrain was called.
func (q *Queue[T]) ShuttingDown() bool {
	var down bool
	q.do(func(c *core[T]) { down = c.down })
	return down
}

// do runs f alone with the core.
func (q *Queue[T]) do(f func(*core[T])) {
	ran := make(chan struct{})
	select {
	case q.cmds <- func(c *core[T]) { f(c); close(ran) }:
		<-ran
	case <-q.gone:
		q.mu.Lock()
		defer q.mu.Unlock()
		f(q.core)
	}
}

type st struct{ held, dirty bool }

type core[T comparable] struct {
	st      map[T]*st
	queue   []T
	held    int
	down    bool
	waiting []chan struct{}
	drains  []chan struct{}
}

func (c *core[T]) add(item T) {
	s := c.st[item]
	switch {
	case s == nil:
		c.st[item] = new(st)
		c.push(item)
	case s.held:
		s.dirty = true
	}
}

func (c *core[T]) push(item T) {
	c.queue = append(c.queue, item)
	if n := len(c.waiting); n > 0 { // the one that came last
		close(c.waiting[n-1])
		c.waiting = c.waiting[:n-1]
	}
}

func (c *core[T]) take() T {
	item := c.queue[0]
	c.queue = append([]T(nil), c.queue[1:]...)
	c.st[item].held = true
	c.held++
	return item
}

func (c *core[T]) done(item T) {
	c.held--
	if s := c.st[item]; s.dirty {
		*s = st{}
		c.push(item)
	} else {
		delete(c.st, item)
	}
	if c.held == 0 {
		c.wakeDrains()
	}
}

func (c *core[T]) shut() {
	c.down = true
	for _, w := range c.waiting {
		close(w)
	}
	c.waiting = nil
}

func (c *core[T]) wakeDrains() {
	for _, w := range c.drains {
		close(w)
	}
	c.drains = nil
}

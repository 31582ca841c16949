// Package deltafifo is lab 14: the queue between the reflector, which hears of
// changes, and the cache, which follows them. It keeps for every object all that
// happened to it since the consumer last looked.
package deltafifo

import (
	"fmt"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a DeltaFIFO. The zero value is ready to use.
type Options[T kit.Object] struct {
	// KnownObjects is the cache that the consumer of the queue keeps.
	KnownObjects kit.KnownObjects[T]

	// Transformer changes an object before it is queued.
	Transformer func(obj T) (T, error)
}

// DeltaFIFO is a first-in-first-out queue of keys and, for each key, the deltas
// that wait for the consumer. The stub's documentation is the contract.
//
// There are two views of what exists: the known objects, which the consumer has
// seen, and the deltas, which it has not. An object passes from one to the other
// inside process. It is tempting to unlock for that, because process may be slow;
// but then there is a moment at which an object is in neither, and a Delete or a
// Replace that looks in that moment takes it for gone (kubernetes#27004). So the
// lock is held from the moment a key leaves the queue until process returns.
type DeltaFIFO[T kit.Object] struct {
	known     kit.KnownObjects[T] // asked only while mu is held; may be nil
	transform func(obj T) (T, error)

	mu      sync.Mutex // guards everything below, and is held while process runs
	arrived sync.Cond  // a key was queued, or the queue was closed

	// A key is in queue exactly if it is in items, and there once. Its deltas are
	// never empty.
	items map[string]kit.Deltas[T]
	queue []string
	most  int // the largest length of queue since it last started afresh

	begun   bool // something has said what there is: an observation, or a first Replace
	initial int  // how many keys of the first Replace are still to be popped
	closed  bool
}

var _ kit.DeltaQueue[*kit.Pod] = (*DeltaFIFO[*kit.Pod])(nil)

// New returns an empty queue.
func New[T kit.Object](options Options[T]) *DeltaFIFO[T] {
	f := &DeltaFIFO[T]{
		known:     options.KnownObjects,
		transform: options.Transformer,
		items:     make(map[string]kit.Deltas[T]),
	}
	f.arrived.L = &f.mu
	return f
}

// Add queues an Added delta.
func (f *DeltaFIFO[T]) Add(obj T) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	return f.observe(kit.DeltaAdded, kit.Key(obj), obj)
}

// Update queues an Updated delta.
func (f *DeltaFIFO[T]) Update(obj T) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	return f.observe(kit.DeltaUpdated, kit.Key(obj), obj)
}

// Delete queues a Deleted delta, unless the consumer could do nothing with it.
func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	if !f.pending(key) && !f.knows(key) {
		return nil
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}

// Replace says that the objects of list are all there are.
func (f *DeltaFIFO[T]) Replace(list []T, _ string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	listed := make(map[string]struct{}, len(list))
	for _, obj := range list {
		key := kit.Key(obj)
		listed[key] = struct{}{}
		if err := f.observe(kit.DeltaReplaced, key, obj); err != nil {
			return fmt.Errorf("replace with %s: %w", key, err)
		}
	}
	f.buryPending(listed)
	f.buryKnown(listed)
	if !f.begun {
		f.begun = true
		// Counting the queue counts each key once, and the tombstones with them.
		f.initial = len(f.queue)
	}
	return nil
}

// buryPending appends a tombstone to the deltas of every key that is not listed.
// What is pending may be all that the consumer will ever hear of the object, so it
// must hear of its end, too (kubernetes#115620). f.mu is held.
func (f *DeltaFIFO[T]) buryPending(listed map[string]struct{}) {
	for key, deltas := range f.items {
		if _, ok := listed[key]; !ok {
			f.push(key, tombstone(deltas.Newest().Object))
		}
	}
}

// buryKnown queues a tombstone for every known object that is neither listed nor
// pending. Its state is the last the consumer saw. f.mu is held.
func (f *DeltaFIFO[T]) buryKnown(listed map[string]struct{}) {
	f.eachIdle(func(key string, obj T) {
		if _, ok := listed[key]; !ok {
			f.push(key, tombstone(obj))
		}
	})
}

// Resync queues a Sync delta for every known object whose key is not pending.
func (f *DeltaFIFO[T]) Resync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.eachIdle(func(key string, obj T) {
		f.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})
	})
	return nil
}

// eachIdle calls visit for every known object that has nothing pending. f.mu is
// held, and must be: an object that was read before could be older than what is
// popped before the lock is taken (kubernetes#40815).
func (f *DeltaFIFO[T]) eachIdle(visit func(key string, obj T)) {
	if f.known == nil {
		return
	}
	for _, key := range f.known.ListKeys() {
		if f.pending(key) {
			continue
		}
		if obj, ok := f.known.GetByKey(key); ok {
			visit(key, obj)
		}
	}
}

// observe queues something that was seen, after the transformer. f.mu is held.
func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if f.transform != nil {
		var err error
		if obj, err = f.transform(obj); err != nil {
			return err
		}
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

// push appends d to the deltas of key. f.mu is held.
//
// A key that was pending needs no Signal: one was given when it became pending, and
// the Pop that got it, or one that came earlier, will see the key in the queue.
func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		f.arrived.Signal()
	}
}

// merge appends d to deltas, or lets it and a Deleted delta before it be one. No
// other pair says the same thing twice: between two Updated deltas of a key the
// object was two different things.
func merge[T kit.Object](deltas kit.Deltas[T], d kit.Delta[T]) kit.Deltas[T] {
	last := len(deltas) - 1
	if last < 0 || d.Type != kit.DeltaDeleted || deltas[last].Type != kit.DeltaDeleted {
		return append(deltas, d)
	}
	if deltas[last].FinalStateUnknown {
		deltas[last] = d // it can only know more
	}
	return deltas
}

// tombstone is the deletion of an object that nobody has seen being deleted.
func tombstone[T kit.Object](last T) kit.Delta[T] {
	return kit.Delta[T]{Type: kit.DeltaDeleted, Object: last, FinalStateUnknown: true}
}

func (f *DeltaFIFO[T]) pending(key string) bool {
	_, ok := f.items[key]
	return ok
}

func (f *DeltaFIFO[T]) knows(key string) bool {
	if f.known == nil {
		return false
	}
	_, ok := f.known.GetByKey(key)
	return ok
}

// Pop takes the key at the head of the queue with all of its deltas.
func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock() // deferred, for process may panic
	for len(f.queue) == 0 {
		if f.closed {
			return nil, kit.ErrFIFOClosed
		}
		f.arrived.Wait()
	}
	// Asked before the count goes down: the last key of the initial list is one of it.
	isInInitialList := !f.hasSynced()
	deltas := f.pop()
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

// pop takes the first key off the queue. f.mu is held.
//
// A key that was popped would stay in the array in front of the slice, and with it the
// memory of its name, until append moves on to another array (kubernetes#104991). So its
// slot is cleared first.
func (f *DeltaFIFO[T]) pop() kit.Deltas[T] {
	key := f.queue[0]
	f.queue[0] = ""
	f.queue = f.queue[1:]
	deltas := f.items[key]
	delete(f.items, key)
	if len(f.queue) == 0 && f.most > keep {
		f.items, f.queue, f.most = make(map[string]kit.Deltas[T]), nil, 0
	}
	return deltas
}

// keep is the length up to which an empty queue keeps its memory. A map never
// shrinks: what the first list of a large cluster has needed would stay for as long
// as the process lives.
const keep = 1024

// HasSynced reports whether the consumer has seen all that there was in the beginning.
func (f *DeltaFIFO[T]) HasSynced() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hasSynced()
}

func (f *DeltaFIFO[T]) hasSynced() bool { return f.begun && f.initial == 0 }

// Close wakes every Pop that waits: there may be no further Signal for any of them.
func (f *DeltaFIFO[T]) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.arrived.Broadcast()
}

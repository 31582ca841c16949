// Package deltafifo is lab 14 with a line: every Pop that waits has a channel of its own in
// it, and a key that becomes pending wakes the first.
package deltafifo

import (
	"container/list"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Options of a DeltaFIFO. The zero value is ready to use.
type Options[T kit.Object] struct {
	// KnownObjects is the cache that the consumer of the queue keeps.
	KnownObjects kit.KnownObjects[T]

	// Transformer changes an object before it is queued, usually to drop fields that nobody
	// reads.
	Transformer func(obj T) (T, error)
}

// DeltaFIFO is a first-in-first-out queue of keys (as of kit.Key) and, for each key, the
// deltas that wait for the consumer: what happened to that object, in order.
type DeltaFIFO[T kit.Object] struct {
	opts Options[T]

	mu      sync.RWMutex
	order   list.List // of *pend[T]
	at      sync.Map  // key to *list.Element
	waiters []chan struct{}
	closed  bool

	decided bool
	initial map[string]struct{} // keys of the first list not yet popped
}

var _ kit.DeltaQueue[*kit.Pod] = (*DeltaFIFO[*kit.Pod])(nil)

// New returns an empty queue.
func New[T kit.Object](options Options[T]) *DeltaFIFO[T] {
	return &DeltaFIFO[T]{opts: options}
}

// Add queues an Added delta. An error of the transformer is returned as it is, and
// nothing is queued. So it is for Update and Delete.
func (f *DeltaFIFO[T]) Add(obj T) error {
	return f.locked(func() error { f.decided = true; return f.enqueue(kit.DeltaAdded, obj) })
}

// Update queues an Updated delta.
func (f *DeltaFIFO[T]) Update(obj T) error {
	return f.locked(func() error { f.decided = true; return f.enqueue(kit.DeltaUpdated, obj) })
}

// Delete queues a Deleted delta, if the key of obj is pending or known. If it is
// neither, the consumer has never heard of the object, or has already heard that it
// is gone: Delete queues nothing, and that is no error.
func (f *DeltaFIFO[T]) Delete(obj T) error {
	return f.locked(func() error {
		f.decided = true
		key := kit.Key(obj)
		if f.pend(key) != nil {
			return f.enqueue(kit.DeltaDeleted, obj)
		}
		if k := f.opts.KnownObjects; k != nil {
			if _, ok := k.GetByKey(key); ok {
				return f.enqueue(kit.DeltaDeleted, obj)
			}
		}
		return nil
	})
}

// Replace says that the objects of list are all there are.
func (f *DeltaFIFO[T]) Replace(list []T, resourceVersion string) error {
	return f.locked(func() error {
		keys := make(map[string]bool, len(list))
		for _, obj := range list {
			keys[kit.Key(obj)] = true
			if err := f.enqueue(kit.DeltaReplaced, obj); err != nil {
				return err
			}
		}
		if k := f.opts.KnownObjects; k != nil {
			for _, key := range k.ListKeys() {
				if obj, ok := k.GetByKey(key); ok && f.pend(key) == nil {
					f.push(key, tombstone(obj))
				}
			}
		}
		for e := f.order.Front(); e != nil; e = e.Next() {
			if p := e.Value.(*pend[T]); !keys[p.key] {
				f.push(p.key, tombstone(p.deltas.Newest().Object))
			}
		}
		if !f.decided {
			f.decided = true
			f.initial = map[string]struct{}{}
			for e := f.order.Front(); e != nil; e = e.Next() {
				f.initial[e.Value.(*pend[T]).key] = struct{}{}
			}
		}
		return nil
	})
}

// Resync queues a Sync delta for every known object whose key is not pending, in
// any order. A pending key needs none: what is pending is newer than what is known.
func (f *DeltaFIFO[T]) Resync() error {
	return f.locked(func() error {
		k := f.opts.KnownObjects
		if k == nil {
			return nil
		}
		for _, key := range k.ListKeys() {
			if obj, ok := k.GetByKey(key); ok && f.pend(key) == nil {
				f.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})
			}
		}
		return nil
	})
}

// Pop takes the key at the head of the queue with all of its deltas, the oldest first, calls
// process with them and returns them and what process returned.
func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.order.Len() == 0 {
		if f.closed {
			return nil, kit.ErrFIFOClosed
		}
		w := make(chan struct{})
		f.waiters = append(f.waiters, w)
		f.mu.Unlock()
		<-w
		f.mu.Lock()
	}
	p := f.order.Remove(f.order.Front()).(*pend[T])
	f.at.Delete(p.key)
	initial := !f.decided || len(f.initial) > 0
	delete(f.initial, p.key)
	return p.deltas, process(p.deltas, initial)
}

// HasSynced reports whether the consumer has seen all that there was in the beginning.
func (f *DeltaFIFO[T]) HasSynced() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.decided && len(f.initial) == 0
}

// Close wakes every Pop that waits. What is pending can still be popped. It may be
// called more than once. Whether anything can be queued after Close is left open.
func (f *DeltaFIFO[T]) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, w := range f.waiters {
		close(w)
	}
	f.waiters = nil
}

type pend[T kit.Object] struct {
	key    string
	deltas kit.Deltas[T]
}

func (f *DeltaFIFO[T]) locked(do func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return do()
}

func (f *DeltaFIFO[T]) pend(key string) *pend[T] {
	if e, ok := f.at.Load(key); ok {
		return e.(*list.Element).Value.(*pend[T])
	}
	return nil
}

func (f *DeltaFIFO[T]) enqueue(typ kit.DeltaType, obj T) error {
	key := kit.Key(obj)
	if f.opts.Transformer != nil {
		var err error
		if obj, err = f.opts.Transformer(obj); err != nil {
			return err
		}
	}
	f.push(key, kit.Delta[T]{Type: typ, Object: obj})
	return nil
}

func tombstone[T kit.Object](obj T) kit.Delta[T] {
	return kit.Delta[T]{Type: kit.DeltaDeleted, Object: obj, FinalStateUnknown: true}
}

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	if p := f.pend(key); p != nil {
		last := &p.deltas[len(p.deltas)-1]
		switch {
		case last.Type != kit.DeltaDeleted || d.Type != kit.DeltaDeleted:
			p.deltas = append(p.deltas, d)
		case last.FinalStateUnknown:
			*last = d
		}
		return
	}
	f.at.Store(key, f.order.PushBack(&pend[T]{key, kit.Deltas[T]{d}}))
	if n := len(f.waiters); n > 0 { // the last come is woken first
		close(f.waiters[n-1])
		f.waiters = f.waiters[:n-1]
	}
}

// Package deltafifo is lab 14 with channels alone: its lock is a token in a channel of one,
// and a key that becomes pending closes a channel on which every waiting Pop listens.
package deltafifo

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

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

	lock chan struct{} // the queue's lock: a goroutine that has put a token in holds it
	wake chan struct{} // closed, and made anew, when a key becomes pending; under lock
	log  []entry[T]    // what is pending, in order; under lock

	closeOnce sync.Once
	closed    chan struct{}

	// remaining is undecided until something decides about HasSynced, and then the
	// number of initial keys whose process has not returned. Written under lock.
	remaining atomic.Int64
}

var _ kit.DeltaQueue[*kit.Pod] = (*DeltaFIFO[*kit.Pod])(nil)

// New returns an empty queue.
func New[T kit.Object](options Options[T]) *DeltaFIFO[T] {
	f := &DeltaFIFO[T]{
		opts:   options,
		lock:   make(chan struct{}, 1),
		wake:   make(chan struct{}),
		closed: make(chan struct{}),
	}
	f.remaining.Store(undecided)
	return f
}

// Add queues an Added delta. An error of the transformer is returned as it is, and
// nothing is queued. So it is for Update and Delete.
func (f *DeltaFIFO[T]) Add(obj T) error {
	return f.single(kit.DeltaAdded, obj, func(string) bool { return true })
}

// Update queues an Updated delta.
func (f *DeltaFIFO[T]) Update(obj T) error {
	return f.single(kit.DeltaUpdated, obj, func(string) bool { return true })
}

// Delete queues a Deleted delta, if the key of obj is pending or known. If it is
// neither, the consumer has never heard of the object, or has already heard that it
// is gone: Delete queues nothing, and that is no error.
func (f *DeltaFIFO[T]) Delete(obj T) error {
	return f.single(kit.DeltaDeleted, obj, func(key string) bool {
		if f.find(key) >= 0 {
			return true
		}
		_, known := f.known(key)
		return known
	})
}

// Replace says that the objects of list are all there are.
func (f *DeltaFIFO[T]) Replace(list []T, resourceVersion string) error {
	f.acquire()
	defer f.release()
	// Transform everything first: then Replace is all or nothing.
	fresh, err := f.transformAll(list)
	if err != nil {
		return fmt.Errorf("list at %q: %v", resourceVersion, err)
	}
	if f.isClosed() {
		return kit.ErrFIFOClosed
	}
	keys := map[string]struct{}{}
	for _, obj := range fresh {
		key := kit.Key(obj)
		keys[key] = struct{}{}
		f.push(key, kit.Delta[T]{Type: kit.DeltaReplaced, Object: obj})
	}
	for _, e := range f.log {
		if _, listed := keys[e.key]; !listed {
			f.push(e.key, kit.Delta[T]{Type: kit.DeltaDeleted, Object: e.deltas.Newest().Object, FinalStateUnknown: true})
			keys[e.key] = struct{}{}
		}
	}
	for _, key := range f.knownKeys() {
		if _, done := keys[key]; done {
			continue
		}
		if obj, ok := f.known(key); ok {
			f.push(key, kit.Delta[T]{Type: kit.DeltaDeleted, Object: obj, FinalStateUnknown: true})
		}
	}
	f.remaining.CompareAndSwap(undecided, int64(len(f.log)))
	return nil
}

// Resync queues a Sync delta for every known object whose key is not pending, in
// any order. A pending key needs none: what is pending is newer than what is known.
func (f *DeltaFIFO[T]) Resync() error {
	f.acquire()
	defer f.release()
	if f.isClosed() {
		return nil
	}
	for _, key := range f.knownKeys() {
		if f.find(key) < 0 {
			if obj, ok := f.known(key); ok {
				f.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})
			}
		}
	}
	return nil
}

// Pop takes the key at the head of the queue with all of its deltas, the oldest first, calls
// process with them and returns them and what process returned.
func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	for {
		f.acquire()
		if len(f.log) > 0 {
			break
		}
		closed, wake := f.isClosed(), f.wake
		f.release()
		if closed {
			return nil, kit.ErrFIFOClosed
		}
		select {
		case <-wake:
		case <-f.closed:
		}
	}
	defer f.release()
	head := f.log[0]
	f.log = slices.Clone(f.log[1:])
	initial := !f.HasSynced()
	defer func() {
		if left := f.remaining.Load(); left > 0 {
			f.remaining.Store(left - 1)
		}
	}()
	return head.deltas, process(head.deltas, initial)
}

// HasSynced reports whether the consumer has seen all that there was in the beginning.
func (f *DeltaFIFO[T]) HasSynced() bool {
	return f.remaining.Load() == 0
}

// Close wakes every Pop that waits. What is pending can still be popped. It may be
// called more than once. Whether anything can be queued after Close is left open.
func (f *DeltaFIFO[T]) Close() {
	f.closeOnce.Do(func() { close(f.closed) })
}

const undecided = -1

type entry[T kit.Object] struct {
	key    string
	deltas kit.Deltas[T]
}

func (f *DeltaFIFO[T]) acquire() { f.lock <- struct{}{} }
func (f *DeltaFIFO[T]) release() { <-f.lock }

func (f *DeltaFIFO[T]) isClosed() bool {
	select {
	case <-f.closed:
		return true
	default:
		return false
	}
}

func (f *DeltaFIFO[T]) transform(obj T) (T, error) {
	if f.opts.Transformer == nil {
		return obj, nil
	}
	return f.opts.Transformer(obj)
}

func (f *DeltaFIFO[T]) transformAll(list []T) ([]T, error) {
	fresh := make([]T, 0, len(list))
	for i, obj := range list {
		obj, err := f.transform(obj)
		if err != nil {
			return nil, fmt.Errorf("object %d: %v", i, err)
		}
		fresh = append(fresh, obj)
	}
	return fresh, nil
}

// single queues one delta, if wanted says so.
func (f *DeltaFIFO[T]) single(typ kit.DeltaType, obj T, wanted func(key string) bool) error {
	key := kit.Key(obj)
	f.acquire()
	defer f.release()
	f.remaining.CompareAndSwap(undecided, 0)
	if !wanted(key) {
		return nil
	}
	obj, err := f.transform(obj)
	if err != nil {
		return err
	}
	if f.isClosed() {
		return kit.ErrFIFOClosed
	}
	f.push(key, kit.Delta[T]{Type: typ, Object: obj})
	return nil
}

func (f *DeltaFIFO[T]) find(key string) int {
	return slices.IndexFunc(f.log, func(e entry[T]) bool { return e.key == key })
}

func (f *DeltaFIFO[T]) knownKeys() []string {
	if f.opts.KnownObjects == nil {
		return nil
	}
	keys := slices.Sorted(slices.Values(f.opts.KnownObjects.ListKeys()))
	slices.Reverse(keys)
	return keys
}

func (f *DeltaFIFO[T]) known(key string) (obj T, ok bool) {
	if f.opts.KnownObjects == nil {
		return obj, false
	}
	return f.opts.KnownObjects.GetByKey(key)
}

// push appends a delta to those of key. The lock is held.
func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	i := f.find(key)
	if i < 0 {
		f.log = append(f.log, entry[T]{key: key, deltas: kit.Deltas[T]{d}})
		close(f.wake)
		f.wake = make(chan struct{})
		return
	}
	deltas := f.log[i].deltas
	if last := len(deltas) - 1; deltas[last].Type == kit.DeltaDeleted && d.Type == kit.DeltaDeleted {
		if deltas[last].FinalStateUnknown {
			deltas[last] = d
		}
	} else {
		deltas = append(deltas, d)
	}
	f.log[i].deltas = deltas
}

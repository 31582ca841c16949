//go:build ignore

// Mistake: A channel of one wakes a Pop, and the second of two keys finds it full: the Pop that takes the first key has to wake the next.
// Killed by: pop-waits
// Verdict: wrong-answer

package deltafifo

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type DeltaFIFO[T kit.Object] struct {
	known     kit.KnownObjects[T] // asked only while mu is held; may be nil
	transform func(obj T) (T, error)

	mu      sync.Mutex    // guards everything below, and is held while process runs
	arrived chan struct{} // has a token if a Pop has to look

	// A key is in queue exactly if it is in items, and there once. Its deltas are
	// never empty.
	items map[string]kit.Deltas[T]
	queue []string
	most  int // the largest length of queue since it last started afresh

	begun   bool // something has said what there is: an observation, or a first Replace
	initial int  // how many keys of the first Replace are still to be popped
	closed  bool
}

func New[T kit.Object](options Options[T]) *DeltaFIFO[T] {
	return &DeltaFIFO[T]{
		known:     options.KnownObjects,
		transform: options.Transformer,
		items:     make(map[string]kit.Deltas[T]),
		arrived:   make(chan struct{}, 1),
	}
}

func (f *DeltaFIFO[T]) wake() {
	select {
	case f.arrived <- struct{}{}:
	default:
	}
}

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer func() {
		if f.closed {
			f.wake()
		}
	}()
	for len(f.queue) == 0 {
		if f.closed {
			return nil, kit.ErrFIFOClosed
		}
		f.mu.Unlock()
		<-f.arrived
		f.mu.Lock()
	}
	isInInitialList := !f.hasSynced()
	deltas := f.pop()
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		f.wake()
	}
}

func (f *DeltaFIFO[T]) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	f.wake()
}

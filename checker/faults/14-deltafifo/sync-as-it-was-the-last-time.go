//go:build ignore

// Mistake: Resync keeps what it has read of an object, and reads it anew only if the object was popped with other deltas in front.
// Killed by: resync-skips-the-pending
// Verdict: wrong-answer

package deltafifo

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
	read    map[string]T
}

func (f *DeltaFIFO[T]) Resync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.eachIdle(func(key string, obj T) {
		if last, ok := f.read[key]; ok {
			obj = last
		}
		if f.read == nil {
			f.read = make(map[string]T)
		}
		f.read[key] = obj
		f.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})
	})
	return nil
}

func (f *DeltaFIFO[T]) pop() kit.Deltas[T] {
	key := f.queue[0]
	f.queue = f.queue[1:]
	deltas := f.items[key]
	delete(f.items, key)
	if deltas[0].Type != kit.DeltaSync {
		delete(f.read, key)
	}
	return deltas
}

//go:build ignore

// Mistake: A pending key that changes again is taken out and put at the tail, as in a cache of the least
//   recently used.
// Killed by: keys-in-order
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	for i, queued := range f.queue {
		if queued == key {
			f.queue = append(f.queue[:i:i], f.queue[i+1:]...)
			pending = false
			break
		}
	}
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		f.arrived.Signal()
	}
}

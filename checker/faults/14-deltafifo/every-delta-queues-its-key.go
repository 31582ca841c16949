//go:build ignore

// Mistake: The key is put into the queue with every delta, so it stands there as often as it was changed.
// Killed by: keys-in-order
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	if pending || !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		f.arrived.Signal()
	}
}

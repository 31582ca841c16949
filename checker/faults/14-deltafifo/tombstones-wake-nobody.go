//go:build ignore

// Mistake: A list that brings only deletions wakes no consumer: what was observed does, and so does Resync.
// Killed by: pop-waits
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		if !d.FinalStateUnknown {
			f.arrived.Signal()
		}
	}
}

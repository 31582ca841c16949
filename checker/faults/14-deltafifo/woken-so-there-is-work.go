//go:build ignore

// Mistake: Pop asks once whether the queue is empty, with if and not with a loop: a woken Pop assumes that
//   there is something for it.
// Killed by: pop-waits
// Verdict: panic

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		f.arrived.Broadcast()
	}
}

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 {
		if f.closed {
			return nil, kit.ErrFIFOClosed
		}
		f.arrived.Wait()
	}
	isInInitialList := !f.hasSynced()
	deltas := f.pop()
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

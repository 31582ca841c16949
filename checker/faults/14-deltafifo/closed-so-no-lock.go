//go:build ignore

// Mistake: Nothing is queued once the queue is closed, so process needs no lock then.
// Killed by: process-runs-under-the-lock
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 {
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
	if f.closed {
		f.mu.Unlock()
		defer f.mu.Lock()
	}
	return deltas, process(deltas, isInInitialList)
}

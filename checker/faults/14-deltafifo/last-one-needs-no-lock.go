//go:build ignore

// Mistake: Behind the last key of a queue that is closed nobody comes, so process needs no lock.
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
	if f.closed && len(f.queue) == 0 {
		f.mu.Unlock()
		defer f.mu.Lock()
	}
	return deltas, process(deltas, isInInitialList)
}

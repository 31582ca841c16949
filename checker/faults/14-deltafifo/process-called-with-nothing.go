//go:build ignore

// Mistake: Pop calls process without deltas before it reports that the queue is closed, to say goodbye.
// Killed by: close-ends-the-queue
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 {
		if f.closed {
			_ = process(nil, false)
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

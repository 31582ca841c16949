//go:build ignore

// Mistake: A Pop that wakes asks first whether the queue was closed meanwhile, and leaves what is pending.
// Killed by: close-ends-the-queue
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
		if f.closed {
			return nil, kit.ErrFIFOClosed
		}
	}
	isInInitialList := !f.hasSynced()
	deltas := f.pop()
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

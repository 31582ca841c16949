//go:build ignore

// Mistake: Where process returns kit.ErrFIFOClosed, as another queue does, Pop takes that for its own end and
//   returns no deltas.
// Killed by: failure-does-not-requeue
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
	err := process(deltas, isInInitialList)
	if err == kit.ErrFIFOClosed {
		return nil, err
	}
	return deltas, err
}

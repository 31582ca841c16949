//go:build ignore

// Mistake: Pop looks at the deltas after process has returned, to see whether the object is gone, as if they were
//   still the queue's.
// Killed by: deltas-belong-to-the-caller
// Verdict: data-race

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
	if deltas.Newest().Type == kit.DeltaDeleted && len(f.queue) == 0 {
		f.items = make(map[string]kit.Deltas[T])
	}
	return deltas, err
}

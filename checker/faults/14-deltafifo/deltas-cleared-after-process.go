//go:build ignore

// Mistake: What process got is cleared for the garbage collector, and only the caller of Pop gets deltas to keep.
// Killed by: deltas-belong-to-the-caller
// Verdict: wrong-answer

package deltafifo

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

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
	result := slices.Clone(deltas)
	err := process(deltas, isInInitialList)
	if err == nil {
		clear(deltas)
	}
	return result, err
}

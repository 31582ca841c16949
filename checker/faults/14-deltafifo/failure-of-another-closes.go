//go:build ignore

// Mistake: Pop takes a kit.ErrFIFOClosed that process returns for the end of this queue.
// Killed by: failure-does-not-requeue
// Verdict: wrong-answer

package deltafifo

import (
	"errors"

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
	err := process(deltas, isInInitialList)
	if errors.Is(err, kit.ErrFIFOClosed) {
		f.closed = true
	}
	return deltas, err
}

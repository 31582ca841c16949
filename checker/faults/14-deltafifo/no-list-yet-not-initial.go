//go:build ignore

// Mistake: Only the keys of the first list are taken for initial; while there is no list yet, none is.
// Killed by: initial-list-is-marked
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
	isInInitialList := f.initial > 0
	deltas := f.pop()
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

//go:build ignore

// Mistake: A key is taken for one of the first list if its deltas begin with what a list queues.
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
	deltas := f.pop()
	listed := deltas[0].Type == kit.DeltaReplaced || deltas[0].FinalStateUnknown
	isInInitialList := !f.begun || f.initial > 0 && listed
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

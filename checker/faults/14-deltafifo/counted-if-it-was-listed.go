//go:build ignore

// Mistake: Only a key with a delta of a list counts for the first list; a tombstone may be gone by then.
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
	isInInitialList := !f.hasSynced()
	deltas := f.pop()
	listed := false
	for _, d := range deltas {
		listed = listed || d.Type == kit.DeltaReplaced || d.FinalStateUnknown
	}
	if f.initial > 0 && listed {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

//go:build ignore

// Mistake: The lock is given back while process runs, so that writers need not wait: for that moment the
//   object is nowhere (kubernetes#27004).
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
	f.mu.Unlock()
	err := process(deltas, isInInitialList)
	f.mu.Lock()
	return deltas, err
}

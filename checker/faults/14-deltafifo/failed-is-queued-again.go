//go:build ignore

// Mistake: Deltas that process failed on are put back, in the hope that it goes better next time.
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
	if err != nil {
		for _, d := range deltas {
			f.push(kit.Key(d.Object), d)
		}
	}
	return deltas, err
}

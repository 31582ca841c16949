//go:build ignore

// Mistake: The lock is given back at the end and not in a defer: after a panic of process nobody gets it
//   again.
// Killed by: failure-does-not-requeue
// Verdict: deadlock

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	for len(f.queue) == 0 {
		if f.closed {
			f.mu.Unlock()
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
	f.mu.Unlock()
	return deltas, err
}

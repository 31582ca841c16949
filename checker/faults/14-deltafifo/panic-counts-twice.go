//go:build ignore

// Mistake: A recover around process counts the key of a panic down, which has been counted already.
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
	defer func() {
		if p := recover(); p != nil {
			f.initial = max(0, f.initial-1)
			panic(p)
		}
	}()
	return deltas, process(deltas, isInInitialList)
}

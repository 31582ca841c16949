//go:build ignore

// Mistake: Pop waits once, with if and not with a loop: a woken Pop that finds nothing, because another one
//   was faster, takes the queue for closed.
// Killed by: pop-waits
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.queue) == 0 && !f.closed {
		f.arrived.Wait()
	}
	if len(f.queue) == 0 {
		return nil, kit.ErrFIFOClosed
	}
	isInInitialList := !f.hasSynced()
	deltas := f.pop()
	if f.initial > 0 {
		f.initial--
	}
	return deltas, process(deltas, isInInitialList)
}

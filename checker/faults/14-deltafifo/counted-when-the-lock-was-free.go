//go:build ignore

// Mistake: The lock is given back as soon as process has returned, and taken once more to count the key.
// Killed by: initial-list-is-marked
// Verdict: wrong-answer

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
	defer func() {
		f.mu.Unlock()
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.initial > 0 {
			f.initial--
		}
	}()
	return deltas, process(deltas, isInInitialList)
}

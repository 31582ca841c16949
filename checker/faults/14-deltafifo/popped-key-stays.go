//go:build ignore

// Mistake: The deltas leave the map when process has returned; after a panic the key counts as pending for
//   ever and is never popped again.
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
	key := f.queue[0]
	f.queue = f.queue[1:]
	deltas := f.items[key]
	if f.initial > 0 {
		f.initial--
	}
	err := process(deltas, isInInitialList)
	delete(f.items, key)
	return deltas, err
}

//go:build ignore

// Mistake: A panic with an error is taken for an error that process has returned.
// Killed by: failure-does-not-requeue
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (deltas kit.Deltas[T], err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 {
		if f.closed {
			return nil, kit.ErrFIFOClosed
		}
		f.arrived.Wait()
	}
	isInInitialList := !f.hasSynced()
	deltas = f.pop()
	if f.initial > 0 {
		f.initial--
	}
	defer func() {
		value := recover()
		if failure, ok := value.(error); ok {
			err = failure
		} else if value != nil {
			panic(value)
		}
	}()
	return deltas, process(deltas, isInInitialList)
}

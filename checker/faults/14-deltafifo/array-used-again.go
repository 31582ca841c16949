//go:build ignore

// Mistake: The slice of a popped key is kept with length 0 to spare an allocation; its array is in the
//   caller's hands.
// Killed by: deltas-belong-to-the-caller
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas := f.items[key]
	pending := len(deltas) > 0
	f.items[key] = merge(deltas, d)
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
		f.arrived.Signal()
	}
}

func (f *DeltaFIFO[T]) pending(key string) bool {
	return len(f.items[key]) > 0
}

func (f *DeltaFIFO[T]) pop() kit.Deltas[T] {
	key := f.queue[0]
	f.queue[0] = ""
	f.queue = f.queue[1:]
	deltas := f.items[key]
	f.items[key] = deltas[:0]
	if len(f.queue) == 0 && f.most > keep {
		f.items, f.queue, f.most = make(map[string]kit.Deltas[T]), nil, 0
	}
	return deltas
}

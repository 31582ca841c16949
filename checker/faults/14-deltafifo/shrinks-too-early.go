//go:build ignore

// Mistake: A queue that was large is made anew, without a look at whether it is empty.
// Killed by: behaves-like-the-model
// Verdict: deadlock

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) pop() kit.Deltas[T] {
	key := f.queue[0]
	f.queue[0] = ""
	f.queue = f.queue[1:]
	deltas := f.items[key]
	delete(f.items, key)
	if f.most > keep {
		f.items, f.queue, f.most = make(map[string]kit.Deltas[T]), nil, 0
	}
	return deltas
}

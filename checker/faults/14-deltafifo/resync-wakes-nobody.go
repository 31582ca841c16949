//go:build ignore

// Mistake: The consumer is woken by what was observed, and forgotten by Resync and by tombstones.
// Killed by: pop-waits
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if f.transform != nil {
		var err error
		if obj, err = f.transform(obj); err != nil {
			return err
		}
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	f.arrived.Signal()
	return nil
}

func (f *DeltaFIFO[T]) push(key string, d kit.Delta[T]) {
	deltas, pending := f.items[key]
	f.items[key] = merge(deltas, d)
	if !pending {
		f.queue = append(f.queue, key)
		f.most = max(f.most, len(f.queue))
	}
}

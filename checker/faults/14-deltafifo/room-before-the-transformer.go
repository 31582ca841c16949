//go:build ignore

// Mistake: The key gets its place in the map before the transformer has failed, and counts as pending from
//   then on.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if !f.pending(key) {
		f.items[key] = make(kit.Deltas[T], 0, 2)
	}
	if f.transform != nil {
		var err error
		if obj, err = f.transform(obj); err != nil {
			return err
		}
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

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

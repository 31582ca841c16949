//go:build ignore

// Mistake: For a deletion the transformer is trusted to have changed the object in place; what it returns is
//   not used.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if f.transform != nil {
		changed, err := f.transform(obj)
		if err != nil {
			return err
		}
		if what != kit.DeltaDeleted {
			obj = changed
		}
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

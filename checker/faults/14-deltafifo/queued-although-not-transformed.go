//go:build ignore

// Mistake: The transformer's error is returned, and what it could not transform is queued all the same.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if f.transform != nil {
		var err error
		if obj, err = f.transform(obj); err != nil {
			f.push(key, kit.Delta[T]{Type: what, Object: obj})
			return err
		}
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

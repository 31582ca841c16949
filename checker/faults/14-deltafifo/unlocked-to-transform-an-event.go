//go:build ignore

// Mistake: The lock is given back while the transformer runs for an object of Add, Update or Delete, so it runs
//   twice at once.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if f.transform != nil {
		one := what != kit.DeltaReplaced
		if one {
			f.mu.Unlock()
		}
		transformed, err := f.transform(obj)
		if one {
			f.mu.Lock()
		}
		if err != nil {
			return err
		}
		obj = transformed
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

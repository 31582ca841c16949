//go:build ignore

// Mistake: A list that has the very object that is known is taken to bring no news of it.
// Killed by: replace-finds-the-missing
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if what == kit.DeltaReplaced && f.known != nil && !f.pending(key) {
		if known, ok := f.known.GetByKey(key); ok && any(known) == any(obj) {
			return nil
		}
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

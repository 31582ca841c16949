//go:build ignore

// Mistake: A transformer that failed may have been unlucky, and gets a second try.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if f.transform != nil {
		changed, err := f.transform(obj)
		if err != nil {
			changed, err = f.transform(obj)
		}
		if err != nil {
			return err
		}
		obj = changed
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

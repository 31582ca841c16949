//go:build ignore

// Mistake: What the transformer returns is taken only if it has a version: without one it seems to have returned nothing.
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
		if changed.GetResourceVersion() != "" {
			obj = changed
		}
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

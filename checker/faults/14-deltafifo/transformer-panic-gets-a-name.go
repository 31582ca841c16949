//go:build ignore

// Mistake: A panic of the transformer goes on as another error, which says where it comes from.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (f *DeltaFIFO[T]) observe(what kit.DeltaType, key string, obj T) error {
	if f.transform != nil {
		defer func() {
			value := recover()
			if failure, ok := value.(error); ok {
				panic(fmt.Errorf("transformer of %s: %w", key, failure))
			}
			if value != nil {
				panic(value)
			}
		}()
		var err error
		if obj, err = f.transform(obj); err != nil {
			return err
		}
	}
	f.push(key, kit.Delta[T]{Type: what, Object: obj})
	return nil
}

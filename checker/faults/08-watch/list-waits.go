//go:build ignore

// Mistake: List waits up to three seconds for a version that lies ahead, as the list of an API server does.
// Killed by: ahead-is-too-large
// Verdict: wrong-answer

package watch

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	atLeast, err := parse(options.ResourceVersion)
	if err != nil {
		return kit.List[T]{}, err
	}
	for range 30 {
		w.mu.RLock()
		version, items := w.version, w.snapshot(options.Namespace)
		w.mu.RUnlock()
		if atLeast <= version {
			for i, obj := range items {
				items[i] = w.typ.DeepCopy(obj)
			}
			return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return kit.List[T]{}, tooLarge(atLeast, 0)
}

//go:build ignore

// Mistake: List compares the version asked for with the newest one before it locks.
// Killed by: no-gap-while-writers-write
// Verdict: data-race

package watch

import (
	"cmp"
	"context"
	"slices"

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
	if atLeast > w.version {
		return kit.List[T]{}, tooLarge(atLeast, w.version)
	}
	w.mu.RLock()
	version, items := w.version, w.snapshot(options.Namespace)
	w.mu.RUnlock()
	for i, obj := range items {
		items[i] = w.typ.DeepCopy(obj)
	}
	slices.SortFunc(items, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

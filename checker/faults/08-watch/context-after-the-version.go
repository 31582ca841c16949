//go:build ignore

// Mistake: List looks at its context last; what is wrong with the version comes before it.
// Killed by: context-ends-the-watch
// Verdict: wrong-answer

package watch

import (
	"cmp"
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	atLeast, err := parse(options.ResourceVersion)
	if err != nil {
		return kit.List[T]{}, err
	}
	w.mu.RLock()
	version, items := w.version, w.snapshot(options.Namespace)
	w.mu.RUnlock()
	if atLeast > version {
		return kit.List[T]{}, tooLarge(atLeast, version)
	}
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	for i, obj := range items {
		items[i] = w.typ.DeepCopy(obj)
	}
	slices.SortFunc(items, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

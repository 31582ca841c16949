//go:build ignore

// Mistake: List returns the objects that the watches are made from.
// Killed by: watchers-share-nothing
// Verdict: wrong-answer

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
	w.mu.RLock()
	version, items := w.version, w.snapshot(options.Namespace)
	w.mu.RUnlock()
	if atLeast > version {
		return kit.List[T]{}, tooLarge(atLeast, version)
	}
	slices.SortFunc(items, func(a, b T) int {
		return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
	})
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

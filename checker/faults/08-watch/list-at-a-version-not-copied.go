//go:build ignore

// Mistake: A list that asks for a version is answered by another function, and that one forgets to copy.
// Killed by: watchers-share-nothing
// Verdict: wrong-answer

package watch

import (
	"context"

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
	if atLeast > 0 {
		return listAt(atLeast, version, items)
	}
	for i, obj := range items {
		items[i] = w.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

func listAt[T kit.Object](atLeast, version uint64, items []T) (kit.List[T], error) {
	if atLeast > version {
		return kit.List[T]{}, tooLarge(atLeast, version)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

//go:build ignore

// Mistake: List answers with the version that its caller asked for, and not with that of the store: a watch from there brings\n//   what the list has shown already.
// Killed by: list-is-sorted
// Verdict: wrong-answer

package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	version, items := s.snapshot(options.Namespace)
	slices.SortFunc(items, func(a, b T) int { return keyOf(a).compare(keyOf(b)) })
	for i, obj := range items {
		items[i] = s.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: cmp.Or(options.ResourceVersion, format(version)), Items: items}, nil
}

//go:build ignore

// Mistake: A list is sorted by "namespace/name": '-' comes before '/', and so the namespace a-b before a.
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
	slices.SortFunc(items, func(a, b T) int { return cmp.Compare(kit.Key(a), kit.Key(b)) })
	for i, obj := range items {
		items[i] = s.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

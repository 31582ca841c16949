//go:build ignore

// Mistake: List returns 500 objects at most, as a client of Kubernetes asks for in one page: the rest seems not to exist.
// Killed by: list-is-sorted
// Verdict: wrong-answer

package store

import (
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
	items = items[:min(len(items), 500)]
	for i, obj := range items {
		items[i] = s.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

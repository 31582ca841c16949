//go:build ignore

// Mistake: The list is in the order of the map, which Go makes random on purpose.
// Killed by: list-is-sorted
// Verdict: wrong-answer

package store

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s *Store[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	version, items := s.snapshot(options.Namespace)
	for i, obj := range items {
		items[i] = s.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

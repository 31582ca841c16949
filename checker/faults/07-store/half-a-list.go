//go:build ignore

// Mistake: List looks at the context between two copies, and returns with its error what it has copied so far.
// Killed by: errors-change-nothing
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
	list := kit.List[T]{ResourceVersion: format(version)}
	for _, obj := range items {
		if err := ctx.Err(); err != nil {
			return list, err
		}
		list.Items = append(list.Items, s.typ.DeepCopy(obj))
	}
	return list, nil
}

//go:build ignore

// Mistake: The list's version is read after the objects: it promises writes that the list does not show, and
//   a watch from there never brings them.
// Killed by: lists-and-journal-agree
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
	s.mu.RLock()
	version = s.version
	s.mu.RUnlock()
	for i, obj := range items {
		items[i] = s.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

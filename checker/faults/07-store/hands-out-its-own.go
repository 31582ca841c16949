//go:build ignore

// Mistake: List returns the stored objects themselves, for speed; its callers are asked in a comment not to
//   change them.
// Killed by: readers-and-writers-meet
// Verdict: data-race

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
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

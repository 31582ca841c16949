//go:build ignore

// Mistake: ListIndexFuncValues is for debugging, so it takes no lock.
// Killed by: everybody-at-once
// Verdict: data-race

package indexer

import (
	"maps"
	"slices"
)

func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {
	in, err := x.index(indexName)
	if err != nil {
		return nil
	}
	return slices.Collect(maps.Keys(in.sets))
}

//go:build ignore

// Mistake: List only reads, so it takes no lock.
// Killed by: everybody-at-once
// Verdict: data-race

package indexer

func (x *Indexer[T]) List() []T {
	list := make([]T, 0, len(x.items))
	for _, e := range x.items {
		list = append(list, e.obj)
	}
	return list
}

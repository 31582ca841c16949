//go:build ignore

// Mistake: AddIndexers takes out of the caller's map what it has built, and puts it back in the end.
// Killed by: everybody-at-once
// Verdict: data-race

package indexer

import (
	"fmt"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	for name := range newIndexers {
		if x.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
	}
	given := maps.Clone(newIndexers)
	defer maps.Copy(newIndexers, given)
	added := make(map[string]*index[T], len(given))
	for name, values := range given {
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		added[name] = in
		delete(newIndexers, name)
	}
	maps.Copy(x.indices, added)
	return nil
}

//go:build ignore

// Mistake: A new index takes the place of an old one with the same name.
// Killed by: name-conflicts-add-nothing
// Verdict: wrong-answer

package indexer

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	added := make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		added[name] = in
	}
	maps.Copy(x.indices, added)
	return nil
}

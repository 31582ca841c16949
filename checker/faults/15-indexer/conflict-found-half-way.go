//go:build ignore

// Mistake: Indices are added one by one until one of them is refused; those before it stay.
// Killed by: name-conflicts-add-nothing
// Verdict: wrong-answer

package indexer

import (
	"fmt"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	added := make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		if x.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		added[name] = in
		x.indices[name] = in
	}
	maps.Copy(x.indices, added)
	return nil
}

//go:build ignore

// Mistake: AddIndexers puts its indices to the old ones and builds all of them.
// Killed by: look-ups-do-not-search
// Verdict: wrong-answer

package indexer

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	all := make(map[string]kit.IndexFunc[T], len(x.indices)+len(newIndexers))
	for name, in := range x.indices {
		all[name] = in.values
	}
	for name, values := range newIndexers {
		if all[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
		all[name] = values
	}
	indices := make(map[string]*index[T], len(all))
	for name, values := range all {
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		indices[name] = in
	}
	x.indices = indices
	return nil
}

//go:build ignore

// Mistake: AddIndexers looks for the names under the read lock, and adds the indices under the next lock without looking again.
// Killed by: name-conflicts-add-nothing
// Verdict: wrong-answer

package indexer

import (
	"fmt"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.RLock()
	for name := range newIndexers {
		if x.indices[name] != nil {
			x.mu.RUnlock()
			return fmt.Errorf("there is an index %q already", name)
		}
	}
	x.mu.RUnlock()
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

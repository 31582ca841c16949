//go:build ignore

// Mistake: AddIndexers builds under RLock and takes Lock only to put the index in place: what is written in
//   between is never in it.
// Killed by: new-indices-know-the-old-objects
// Verdict: wrong-answer

package indexer

import (
	"fmt"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.RLock()
	unlock := x.mu.RUnlock
	defer func() { unlock() }()
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
	}
	x.mu.RUnlock()
	x.mu.Lock()
	unlock = x.mu.Unlock
	maps.Copy(x.indices, added)
	return nil
}

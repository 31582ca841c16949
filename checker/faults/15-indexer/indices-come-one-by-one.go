//go:build ignore

// Mistake: AddIndexers builds all indices, and then puts each in place under a lock of its own.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package indexer

import (
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	added := make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		if x.indices[name] != nil {
			x.mu.Unlock()
			return fmt.Errorf("there is an index %q already", name)
		}
		in, err := build(name, values, x.items)
		if err != nil {
			x.mu.Unlock()
			return err
		}
		added[name] = in
	}
	x.mu.Unlock()
	for name, in := range added {
		x.mu.Lock()
		x.indices[name] = in
		x.mu.Unlock()
	}
	return nil
}

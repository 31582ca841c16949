//go:build ignore

// Mistake: AddIndexers takes the names that exist out of the caller's map before it refuses the rest.
// Killed by: slices-and-maps-are-the-callers
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
	all := len(newIndexers)
	maps.DeleteFunc(newIndexers, func(name string, _ kit.IndexFunc[T]) bool { return x.indices[name] != nil })
	if refused := all - len(newIndexers); refused > 0 {
		return fmt.Errorf("%d of the names exist already", refused)
	}
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

//go:build ignore

// Mistake: Names of indices are made valid UTF-8, and two that are not become one.
// Killed by: new-indices-know-the-old-objects
// Verdict: wrong-answer

package indexer

import (
	"fmt"
	"maps"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	added := make(map[string]*index[T], len(newIndexers))
	for name, values := range newIndexers {
		name = strings.ToValidUTF8(name, "?")
		if x.indices[name] != nil {
			return fmt.Errorf("there is an index %q already", name)
		}
		in, err := build(name, values, x.items)
		if err != nil {
			return err
		}
		added[name] = in
	}
	maps.Copy(x.indices, added)
	return nil
}

func (x *Indexer[T]) index(name string) (*index[T], error) {
	in, ok := x.indices[strings.ToValidUTF8(name, "?")]
	if !ok {
		return nil, fmt.Errorf("there is no index %q", name)
	}
	return in, nil
}

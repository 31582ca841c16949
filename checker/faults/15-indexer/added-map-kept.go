//go:build ignore

// Mistake: AddIndexers keeps the map that it was given, and later asks the function that is in it then.
// Killed by: slices-and-maps-are-the-callers
// Verdict: wrong-answer

package indexer

import (
	"fmt"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type index[T kit.Object] struct {
	name   string
	values kit.IndexFunc[T]
	sets   map[string]set[T]
	given  map[string]kit.IndexFunc[T]
}

func newIndex[T kit.Object](name string, values kit.IndexFunc[T]) *index[T] {
	return &index[T]{name: name, values: values, sets: make(map[string]set[T])}
}

func (in *index[T]) of(obj T) ([]string, error) {
	ask := in.values
	if f, ok := in.given[in.name]; ok {
		ask = f
	}
	values, err := ask(obj)
	if err != nil {
		return nil, fmt.Errorf("index %q of %s: %w", in.name, kit.Key(obj), err)
	}
	return values, nil
}

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
		in.given = newIndexers
		added[name] = in
	}
	maps.Copy(x.indices, added)
	return nil
}

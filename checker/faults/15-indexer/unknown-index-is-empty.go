//go:build ignore

// Mistake: An index that does not exist is taken for one without objects.
// Killed by: unknown-index-is-an-error
// Verdict: wrong-answer

package indexer

import "fmt"

func (x *Indexer[T]) index(name string) (*index[T], error) {
	in, ok := x.indices[name]
	if !ok {
		return newIndex[T](name, func(T) ([]string, error) { return nil, fmt.Errorf("nothing") }), nil
	}
	return in, nil
}

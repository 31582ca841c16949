//go:build ignore

// Mistake: A goroutine makes all updates, one after the other, and nothing ever ends it.
// Killed by: stores-by-key
// Verdict: goroutine-leak

package indexer

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu      sync.RWMutex
	items   map[string]*entry[T]
	indices map[string]*index[T]
	updates chan func()
}

func New[T kit.Object](indexers map[string]kit.IndexFunc[T]) *Indexer[T] {
	x := &Indexer[T]{
		items:   make(map[string]*entry[T]),
		indices: make(map[string]*index[T], len(indexers)),
		updates: make(chan func()),
	}
	for name, values := range indexers {
		x.indices[name] = newIndex(name, values)
	}
	go func() {
		for update := range x.updates {
			update()
		}
	}()
	return x
}

func (x *Indexer[T]) Add(obj T) error {
	done := make(chan error, 1)
	x.updates <- func() { done <- x.Update(obj) }
	return <-done
}

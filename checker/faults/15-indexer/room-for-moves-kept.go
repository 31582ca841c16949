//go:build ignore

// Mistake: The room for the moves of an update is used again by the next one, and what the last one wrote into it
//   stays there.
// Killed by: past-values-cost-nothing
// Verdict: wrong-answer

package indexer

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu      sync.RWMutex
	items   map[string]*entry[T]
	indices map[string]*index[T]
	room    []move[T]
}

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	moves, err := x.moves(x.room[:0], e, obj)
	if err != nil {
		return err
	}
	x.room = moves
	if !exists {
		e = &entry[T]{key: key}
		x.items[key] = e
	}
	e.obj = obj
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

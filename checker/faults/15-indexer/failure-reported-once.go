//go:build ignore

// Mistake: An object for which an IndexFunc fails is reported once. The next write of its key that fails returns nil.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import (
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Indexer[T kit.Object] struct {
	mu       sync.RWMutex
	items    map[string]*entry[T]
	indices  map[string]*index[T]
	reported map[string]bool
}

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	var room [4]move[T]
	moves, err := x.moves(room[:0], e, obj)
	if err != nil {
		if x.reported[key] {
			return nil
		}
		if x.reported == nil {
			x.reported = make(map[string]bool)
		}
		x.reported[key] = true
		return err
	}
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

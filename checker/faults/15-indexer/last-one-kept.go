//go:build ignore

// Mistake: The object that was written last is kept at hand: it is often read next. A deletion leaves it there.
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
	last    *entry[T]
}

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	var room [4]move[T]
	moves, err := x.moves(room[:0], e, obj)
	if err != nil {
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
	x.last = e
	return nil
}

func (x *Indexer[T]) GetByKey(key string) (obj T, exists bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.last != nil && x.last.key == key && x.items[key] == x.last {
		return x.last.obj, true
	}
	e, exists := x.items[key]
	if !exists {
		return obj, false
	}
	return e.obj, true
}

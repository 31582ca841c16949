//go:build ignore

// Mistake: Update takes the read lock: the maps are looked at there, too.
// Killed by: everybody-at-once
// Verdict: data-race

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.RLock()
	defer x.mu.RUnlock()
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
	return nil
}

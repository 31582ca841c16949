//go:build ignore

// Mistake: The lock is given back between the object and its indices, to let readers in.
// Killed by: writes-are-one-step
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

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
	x.mu.Unlock()
	x.mu.Lock()
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

//go:build ignore

// Mistake: What an update has to take out of the indices is computed under RLock, and done under Lock:
//   another update comes in between.
// Killed by: writes-are-one-step
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.RLock()
	e, exists := x.items[key]
	var room [4]move[T]
	moves, err := x.moves(room[:0], e, obj)
	x.mu.RUnlock()
	x.mu.Lock()
	defer x.mu.Unlock()
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

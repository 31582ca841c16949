//go:build ignore

// Mistake: Delete takes the object out of the values of the state that it was given, which may be long past.
// Killed by: delete-removes-everywhere
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Delete(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	if !exists {
		return nil
	}
	var room [4]move[T]
	moves, err := x.departures(room[:0], &entry[T]{key, obj})
	if err != nil {
		return err
	}
	delete(x.items, key)
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

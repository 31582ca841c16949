//go:build ignore

// Mistake: Delete does not ask whether there is anything to delete.
// Killed by: delete-removes-everywhere
// Verdict: panic

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Delete(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	_ = exists
	var room [4]move[T]
	moves, err := x.departures(room[:0], e)
	if err != nil {
		return err
	}
	delete(x.items, key)
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

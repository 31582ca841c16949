//go:build ignore

// Mistake: Delete leaves an object that has finalizers, as the API server does. The cache hears of a deletion when
//   they are all gone.
// Killed by: delete-removes-everywhere
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Delete(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	if !exists || len(e.obj.GetFinalizers()) > 0 {
		return nil
	}
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

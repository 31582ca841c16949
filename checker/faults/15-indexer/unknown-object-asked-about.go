//go:build ignore

// Mistake: Delete asks the IndexFuncs about an object that is not stored, to be sure that it is in no index either.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Delete(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	if !exists {
		e = &entry[T]{key, obj}
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

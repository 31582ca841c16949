//go:build ignore

// Mistake: Delete asks the IndexFuncs about the object it is given, and fails where one of them does.
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
		return nil
	}
	if _, err := x.moves(nil, nil, obj); err != nil {
		return err
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

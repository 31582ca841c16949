//go:build ignore

// Mistake: An update that leaves all values as they are is taken to change nothing, and readers of the index
//   keep the old object.
// Killed by: update-moves-the-object
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
	if len(moves) > 0 {
		e.obj = obj
	}
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

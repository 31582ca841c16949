//go:build ignore

// Mistake: An object without labels gets those of the stored one. It is not the indexer's to change.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	if exists && obj.GetLabels() == nil {
		obj.SetLabels(e.obj.GetLabels())
	}
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

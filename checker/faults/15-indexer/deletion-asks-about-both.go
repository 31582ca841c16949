//go:build ignore

// Mistake: Delete takes the object out of what the given state says, too; it cannot hurt.
// Killed by: look-ups-do-not-search
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
	moves, err := x.departures(room[:0], e)
	if err != nil {
		return err
	}
	delete(x.items, key)
	for _, m := range moves {
		m.carryOut(e)
		if values, err := m.in.of(obj); err == nil {
			move[T]{in: m.in, from: values}.carryOut(e)
		}
	}
	return nil
}

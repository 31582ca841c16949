//go:build ignore

// Mistake: Delete takes the object out of the store under one lock, and out of the indices under the next.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package indexer

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) Delete(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	e, exists := x.items[key]
	delete(x.items, key)
	x.mu.Unlock()
	if !exists {
		return nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	moves, err := x.departures(nil, e)
	if err != nil {
		return err
	}
	for _, m := range moves {
		m.carryOut(e)
	}
	return nil
}

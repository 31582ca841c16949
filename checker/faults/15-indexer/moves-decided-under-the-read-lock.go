//go:build ignore

// Mistake: Update decides under the read lock what moves in the indices, and writes under the next lock.
// Killed by: one-after-the-other
// Verdict: wrong-answer

package indexer

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.RLock()
	moves, err := x.moves(nil, x.items[key], obj)
	x.mu.RUnlock()
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
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

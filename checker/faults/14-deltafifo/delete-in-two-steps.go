//go:build ignore

// Mistake: Delete gives the lock back between its look at what is pending or known and what it queues.
// Killed by: cache-follows-the-server
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	f.mu.Lock()
	f.begun = true
	there := f.pending(key) || f.knows(key)
	f.mu.Unlock()
	if !there {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.observe(kit.DeltaDeleted, key, obj)
}

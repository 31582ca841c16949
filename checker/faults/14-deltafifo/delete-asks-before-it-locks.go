//go:build ignore

// Mistake: Delete asks the known objects before it locks, and misses what process is just making known
//   (kubernetes#27004).
// Killed by: cache-follows-the-server
// Verdict: data-race

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Delete(obj T) error {
	key := kit.Key(obj)
	known := f.knows(key)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	if !f.pending(key) && !known {
		return nil
	}
	return f.observe(kit.DeltaDeleted, key, obj)
}

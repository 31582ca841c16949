//go:build ignore

// Mistake: GetByKey goes through all objects until it comes to the key.
// Killed by: look-ups-do-not-search
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) GetByKey(key string) (obj T, exists bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for k, e := range x.items {
		if k == key {
			return e.obj, true
		}
	}
	return obj, false
}

//go:build ignore

// Mistake: GetByKey looks through all objects before it says that there is none, to be sure.
// Killed by: look-ups-do-not-search
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) GetByKey(key string) (obj T, exists bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if e, exists := x.items[key]; exists {
		return e.obj, true
	}
	for _, e := range x.items {
		if e.key == key {
			return e.obj, true
		}
	}
	return obj, false
}

//go:build ignore

// Mistake: GetByKey looks for the name alone as well, as if it were unique.
// Killed by: stores-by-key
// Verdict: wrong-answer

package indexer

func (x *Indexer[T]) GetByKey(key string) (obj T, exists bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	e, exists := x.items[key]
	if !exists {
		e, exists = x.items["default/"+key]
	}
	if !exists {
		return obj, false
	}
	return e.obj, true
}

//go:build ignore

// Mistake: Resync collects the known objects before it locks; what is popped meanwhile is newer
//   (kubernetes#40815).
// Killed by: cache-follows-the-server
// Verdict: data-race

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Resync() error {
	if f.known == nil {
		return nil
	}
	old := map[string]T{}
	for _, key := range f.known.ListKeys() {
		old[key], _ = f.known.GetByKey(key)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, obj := range old {
		if !f.pending(key) {
			f.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})
		}
	}
	return nil
}

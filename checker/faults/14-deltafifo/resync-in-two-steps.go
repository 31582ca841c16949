//go:build ignore

// Mistake: Resync lists the known keys under the lock, and takes it once more to queue them.
// Killed by: cache-follows-the-server
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Resync() error {
	if f.known == nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		return nil
	}
	f.mu.Lock()
	keys := f.known.ListKeys()
	f.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range keys {
		if f.pending(key) {
			continue
		}
		if obj, ok := f.known.GetByKey(key); ok {
			f.push(key, kit.Delta[T]{Type: kit.DeltaSync, Object: obj})
		}
	}
	return nil
}

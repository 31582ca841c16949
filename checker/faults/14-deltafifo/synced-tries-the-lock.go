//go:build ignore

// Mistake: HasSynced must not wait for a process, so it says false where it cannot have the lock at once.
// Killed by: synced-by-the-first-list
// Verdict: wrong-answer

package deltafifo

func (f *DeltaFIFO[T]) HasSynced() bool {
	if !f.mu.TryLock() {
		return false
	}
	defer f.mu.Unlock()
	return f.hasSynced()
}

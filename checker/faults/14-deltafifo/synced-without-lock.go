//go:build ignore

// Mistake: HasSynced only reads, so it is thought to need no lock.
// Killed by: cache-follows-the-server
// Verdict: data-race

package deltafifo

func (f *DeltaFIFO[T]) HasSynced() bool {
	return f.hasSynced()
}

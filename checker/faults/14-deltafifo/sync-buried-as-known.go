//go:build ignore

// Mistake: A Sync delta carries the known object, so its tombstone takes that as well, as it is now.
// Killed by: tombstone-has-the-newest-state
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) buryPending(listed map[string]struct{}) {
	for key, deltas := range f.items {
		if _, ok := listed[key]; !ok {
			last := deltas.Newest()
			if last.Type == kit.DeltaSync {
				if known, ok := f.known.GetByKey(key); ok {
					last.Object = known
				}
			}
			f.push(key, tombstone(last.Object))
		}
	}
}

//go:build ignore

// Mistake: A tombstone has the state of the oldest pending delta.
// Killed by: tombstone-has-the-newest-state
// Verdict: wrong-answer

package deltafifo

func (f *DeltaFIFO[T]) buryPending(listed map[string]struct{}) {
	for key, deltas := range f.items {
		if _, ok := listed[key]; !ok {
			f.push(key, tombstone(deltas[0].Object))
		}
	}
}

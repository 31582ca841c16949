//go:build ignore

// Mistake: A list is not trusted with the last state: behind a Replaced delta, the tombstone gets the known object.
// Killed by: tombstone-has-the-newest-state
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) buryPending(listed map[string]struct{}) {
	for key, deltas := range f.items {
		if _, ok := listed[key]; ok {
			continue
		}
		last := deltas.Newest().Object
		if f.known != nil && len(deltas) > 1 && deltas.Newest().Type == kit.DeltaReplaced {
			if known, ok := f.known.GetByKey(key); ok {
				last = known
			}
		}
		f.push(key, tombstone(last))
	}
}

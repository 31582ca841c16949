//go:build ignore

// Mistake: The object of a tombstone goes through the transformer a second time.
// Killed by: transformer-runs-once
// Verdict: wrong-answer

package deltafifo

func (f *DeltaFIFO[T]) buryKnown(listed map[string]struct{}) {
	f.eachIdle(func(key string, obj T) {
		if _, ok := listed[key]; !ok {
			if f.transform != nil {
				obj, _ = f.transform(obj)
			}
			f.push(key, tombstone(obj))
		}
	})
}

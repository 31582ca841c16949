//go:build ignore

// Mistake: Resync queues every known object, and puts old states behind pending news (kubernetes client-go
//   TestDeltaFIFO_UpdateResyncRace).
// Killed by: resync-skips-the-pending
// Verdict: wrong-answer

package deltafifo

func (f *DeltaFIFO[T]) eachIdle(visit func(key string, obj T)) {
	if f.known == nil {
		return
	}
	for _, key := range f.known.ListKeys() {
		if obj, ok := f.known.GetByKey(key); ok {
			visit(key, obj)
		}
	}
}

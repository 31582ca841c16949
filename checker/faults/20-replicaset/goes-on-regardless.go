//go:build ignore

// Mistake: A failure is kept for the end; the batches go on.
// Killed by: slow-start-stops
// Verdict: wrong-answer

package replicaset

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = min(2*size, count-done) {
		failed := atOnce(size, func(int) error { return f() })
		done += size - len(failed)
		if len(failed) > 0 {
			count -= len(failed)
		}
	}
	return done, nil
}

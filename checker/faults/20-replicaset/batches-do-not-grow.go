//go:build ignore

// Mistake: All batches are as large as the first.
// Killed by: slow-start-doubles
// Verdict: wrong-answer

package replicaset

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = min(initialBatchSize, count-done) {
		failed := atOnce(size, func(int) error { return f() })
		done += size - len(failed)
		if len(failed) > 0 {
			return done, failed[0]
		}
	}
	return done, nil
}

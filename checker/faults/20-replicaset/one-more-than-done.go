//go:build ignore

// Mistake: The next batch is one larger than all that is done. With a first batch of one that is twice the batch before.
// Killed by: slow-start-doubles
// Verdict: wrong-answer

package replicaset

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = min(done+1, count-done) {
		failed := atOnce(size, func(int) error { return f() })
		done += size - len(failed)
		if len(failed) > 0 {
			return done, failed[0]
		}
	}
	return done, nil
}

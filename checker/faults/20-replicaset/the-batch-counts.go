//go:build ignore

// Mistake: A batch that has failed counts with all its calls, or with none of them.
// Killed by: slow-start-stops
// Verdict: wrong-answer

package replicaset

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = min(2*size, count-done) {
		failed := atOnce(size, func(int) error { return f() })
		done += size
		if len(failed) > 0 {
			return done, failed[0]
		}
	}
	return done, nil
}

//go:build ignore

// Mistake: The last batch is as large as it would be if more were wanted.
// Killed by: slow-start-doubles
// Verdict: wrong-answer

package replicaset

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = 2 * size {
		if done >= count {
			break
		}
		failed := atOnce(size, func(int) error { return f() })
		done += size - len(failed)
		if len(failed) > 0 {
			return done, failed[0]
		}
	}
	return done, nil
}

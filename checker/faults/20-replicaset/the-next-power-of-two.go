//go:build ignore

// Mistake: A batch is as large as the next power of two, which is twice the batch before only where that was one
//   itself.
// Killed by: slow-start-doubles
// Verdict: wrong-answer

package replicaset

import "math/bits"

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = min(1<<bits.Len(uint(size)), count-done) {
		failed := atOnce(size, func(int) error { return f() })
		done += size - len(failed)
		if len(failed) > 0 {
			return done, failed[0]
		}
	}
	return done, nil
}

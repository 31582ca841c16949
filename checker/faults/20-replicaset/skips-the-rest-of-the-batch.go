//go:build ignore

// Mistake: Calls of a batch that have not begun are skipped when one of it has failed.
// Killed by: slow-start-stops
// Verdict: wrong-answer

package replicaset

import "sync/atomic"

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = min(2*size, count-done) {
		var broken atomic.Bool
		var skipped atomic.Int32
		failed := atOnce(size, func(int) error {
			if broken.Load() {
				skipped.Add(1)
				return nil
			}
			err := f()
			broken.CompareAndSwap(false, err != nil)
			return err
		})
		done += size - len(failed) - int(skipped.Load())
		if len(failed) > 0 {
			return done, failed[0]
		}
	}
	return done, nil
}

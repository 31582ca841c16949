package replicaset

import (
	"slices"
	"sync"
)

// SlowStartBatch calls f count times, in batches that double. The stub's documentation
// is the contract.
//
// A quota that admits three more pods refuses four hundred and ninety-seven of five
// hundred requests sent at once. Sent like this, the third batch fails, and it was only
// four.
func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	done := 0
	for size := min(count, initialBatchSize); size > 0; size = min(2*size, count-done) {
		failed := atOnce(size, func(int) error { return f() })
		done += size - len(failed)
		if len(failed) > 0 {
			return done, failed[0]
		}
	}
	return done, nil
}

// atOnce calls f(0) to f(n-1) at the same time and returns, when all have returned,
// the errors of those that failed.
//
// Call i writes element i and nothing else, and Wait comes after all of them: that is
// all the order which the slice needs.
func atOnce(n int, f func(i int) error) []error {
	errs := make([]error, n)
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() { errs[i] = f(i) })
	}
	calls.Wait()
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

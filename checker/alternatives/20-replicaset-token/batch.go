package replicaset

import "golang.org/x/sync/errgroup"

// SlowStartBatch calls f count times, in batches: the first has initialBatchSize calls,
// each further one twice as many as the one before, and the last has what is left. The
// calls of one batch run at the same time, and a batch begins when all calls of the one
// before have returned.
//
// After a batch in which a call has failed no further batch begins. The batch itself is
// completed. SlowStartBatch returns how many calls have returned nil, and the error of one
// that has not: that very error, not wrapped.
//
// With a count of zero or less it calls nothing. The caller passes an initialBatchSize
// of one or more.
func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	successes := 0
	remaining := count
	for size := min(remaining, initialBatchSize); size > 0; size = min(2*size, remaining) {
		var batch errgroup.Group
		results := make([]error, size)
		for i := range size {
			batch.Go(func() error {
				results[i] = f()
				return results[i]
			})
		}
		err := batch.Wait()
		for _, r := range results {
			if r == nil {
				successes++
			}
		}
		if err != nil {
			return successes, err
		}
		remaining -= size
	}
	return successes, nil
}

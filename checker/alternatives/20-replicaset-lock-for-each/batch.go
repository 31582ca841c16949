package replicaset

import "sync/atomic"

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
	var done atomic.Int64
	var failed error
	for next := initialBatchSize; count > 0 && failed == nil; next += next {
		n := next
		if n > count {
			n = count
		}
		count -= n
		out := make(chan error)
		for i := 0; i < n; i++ {
			go func() { out <- f() }()
		}
		for i := 0; i < n; i++ {
			if err := <-out; err != nil {
				failed = err // the last one
				continue
			}
			done.Add(1)
		}
	}
	return int(done.Load()), failed
}

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

// SlowStartBatch calls f count times, in batches: the first of initialBatchSize calls,
// each further one twice as large as the one before, the last of what is left. The calls
// of one batch are made at the same time, and a batch begins when all calls of the one
// before have returned.
//
// After a batch in which a call has failed no further batch begins. The batch itself is
// completed. It returns how many calls have returned nil, and the error of one that has
// not: that very error, unwrapped.
//
// With a count of zero or less nothing is called. The caller sees to it that
// initialBatchSize is at least one.
func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	panic(kit.TODO("SlowStartBatch"))
}

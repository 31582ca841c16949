//go:build ignore

// Mistake: The next batch begins when half of the calls of the one before have returned.
// Killed by: slow-start-doubles
// Verdict: wrong-answer

package replicaset

import "slices"

func SlowStartBatch(count, initialBatchSize int, f func() error) (int, error) {
	answers := make(chan error, max(count, 0))
	var errs []error // of the calls that have returned, nil or not
	failed := func(err error) bool { return err != nil }
	begun := 0
	for size := min(count, initialBatchSize); size > 0 && !slices.ContainsFunc(errs, failed); size = min(2*size, count-begun) {
		for range size {
			go func() { answers <- f() }()
		}
		begun += size
		for range (size + 1) / 2 {
			errs = append(errs, <-answers)
		}
	}
	for len(errs) < begun {
		errs = append(errs, <-answers)
	}
	errs = slices.DeleteFunc(errs, func(err error) bool { return err == nil })
	if len(errs) > 0 {
		return begun - len(errs), errs[0]
	}
	return begun, nil
}

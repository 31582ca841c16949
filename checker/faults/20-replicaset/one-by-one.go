//go:build ignore

// Mistake: The calls of a batch are made one after the other.
// Killed by: slow-start-doubles
// Verdict: wrong-answer

package replicaset

import (
	"slices"
	"sync"
)

func atOnce(n int, f func(i int) error) []error {
	errs := make([]error, n)
	var calls sync.WaitGroup
	for i := range n {
		errs[i] = f(i)
	}
	calls.Wait()
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

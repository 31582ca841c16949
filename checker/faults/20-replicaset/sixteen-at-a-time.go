//go:build ignore

// Mistake: Requests go out at the same time, sixteen of them and no more.
// Killed by: burst-caps
// Verdict: wrong-answer

package replicaset

import (
	"slices"
	"sync"
)

func atOnce(n int, f func(i int) error) []error {
	errs := make([]error, n)
	slots := make(chan struct{}, 16)
	var calls sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		calls.Go(func() {
			defer func() { <-slots }()
			errs[i] = f(i)
		})
	}
	calls.Wait()
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

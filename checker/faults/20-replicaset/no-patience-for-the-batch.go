//go:build ignore

// Mistake: The first failure returns while other calls of the batch are under way.
// Killed by: slow-start-stops
// Verdict: wrong-answer

package replicaset

func atOnce(n int, f func(i int) error) []error {
	errs := make(chan error, n)
	for i := range n {
		go func() { errs <- f(i) }()
	}
	for range n {
		if err := <-errs; err != nil {
			return []error{err}
		}
	}
	return nil
}

//go:build ignore

// Mistake: The constructor starts a goroutine that looks after the buffer until Close: one that is forgotten
//   leaks it (controller-runtime#649).
// Killed by: needs-no-close
// Verdict: goroutine-leak

package backpressure

func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	b := &Bounded[T]{
		policy: policy,
		values: make(chan T, max(capacity, 1)),
		done:   make(chan struct{}),
	}
	go func() { <-b.done }()
	return b
}

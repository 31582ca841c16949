//go:build ignore

// Mistake: A capacity of zero is handed to make as it is: there is never room, and a negative one panics.
// Killed by: capacity-below-one
// Verdict: wrong-answer

package backpressure

func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	return &Bounded[T]{
		policy: policy,
		values: make(chan T, max(capacity, 0)),
		done:   make(chan struct{}),
	}
}

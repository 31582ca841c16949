//go:build ignore

// Mistake: The channel is made one too small: the value in the sender's hand is counted as buffered.
// Killed by: block-waits-at-capacity
// Verdict: wrong-answer

package backpressure

func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	return &Bounded[T]{
		policy: policy,
		values: make(chan T, max(capacity-1, 1)),
		done:   make(chan struct{}),
	}
}

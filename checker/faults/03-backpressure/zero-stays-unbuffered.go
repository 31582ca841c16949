//go:build ignore

// Mistake: A capacity of 0 makes a channel without a buffer under Block, where every send waits for a receiver.
// Killed by: capacity-below-one
// Verdict: wrong-answer

package backpressure

func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	least := 1
	if policy == Block {
		least = 0
	}
	return &Bounded[T]{
		policy: policy,
		values: make(chan T, max(capacity, least)),
		done:   make(chan struct{}),
	}
}

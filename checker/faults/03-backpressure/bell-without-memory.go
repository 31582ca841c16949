//go:build ignore

// Mistake: The channel that wakes Run has no buffer: an Add that rings while Run is about to sleep is not
//   heard.
// Killed by: no-lost-wake-up
// Verdict: deadlock

package backpressure

func NewPump[T any]() *Pump[T] {
	return &Pump[T]{wake: make(chan struct{})}
}

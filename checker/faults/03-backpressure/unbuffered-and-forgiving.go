//go:build ignore

// Mistake: A send on an unbuffered channel that is closed is taken for one that nobody receives.
// Killed by: try-never-waits
// Verdict: wrong-answer

package backpressure

func TrySend[T any](ch chan<- T, v T) (sent bool) {
	if cap(ch) == 0 {
		defer func() { _ = recover() }()
	}
	select {
	case ch <- v:
		return true
	default:
		return false
	}
}

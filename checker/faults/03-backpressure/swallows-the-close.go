//go:build ignore

// Mistake: The panic of a send on a closed channel is recovered: the sender never learns that it is one too
//   many.
// Killed by: try-never-waits
// Verdict: wrong-answer

package backpressure

func TrySend[T any](ch chan<- T, v T) (sent bool) {
	defer func() { _ = recover() }()
	select {
	case ch <- v:
		return true
	default:
		return false
	}
}

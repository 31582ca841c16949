//go:build ignore

// Mistake: The send is moved into a goroutine so that it cannot block the caller; it blocks there for ever,
//   or sends when nobody expects it.
// Killed by: try-never-waits
// Verdict: wrong-answer

package backpressure

func TrySend[T any](ch chan<- T, v T) bool {
	select {
	case ch <- v:
		return true
	default:
		go func() { ch <- v }()
		return false
	}
}

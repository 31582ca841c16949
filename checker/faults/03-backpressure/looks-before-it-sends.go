//go:build ignore

// Mistake: len and cap are compared first: an unbuffered channel never has room then, though a receiver
//   waits.
// Killed by: try-sends-if-there-is-room
// Verdict: wrong-answer

package backpressure

func TrySend[T any](ch chan<- T, v T) bool {
	if len(ch) == cap(ch) {
		return false
	}
	ch <- v
	return true
}

// Package backpressure is lab 03: what to do when the buffer is full. Wait, refuse,
// drop, or grow.
package backpressure

// TrySend sends v on ch if that is possible without waiting, and reports whether
// it did. The stub's documentation is the contract.
//
// It is tempting to compare len(ch) with cap(ch) first. But between the look and
// the send another goroutine may take the room, and then the send waits after all;
// and an unbuffered channel never has room, though somebody may stand there with
// open hands. A select with a default looks and sends in one step.
func TrySend[T any](ch chan<- T, v T) bool {
	select {
	case ch <- v:
		return true
	default:
		return false
	}
}

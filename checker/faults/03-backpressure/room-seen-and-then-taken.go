//go:build ignore

// Mistake: Where there is room the send needs no select: between the look and the send another takes the room.
// Killed by: try-under-pressure
// Verdict: deadlock

package backpressure

func TrySend[T any](ch chan<- T, v T) bool {
	if len(ch) < cap(ch) {
		ch <- v
		return true
	}
	select {
	case ch <- v:
		return true
	default:
		return false
	}
}

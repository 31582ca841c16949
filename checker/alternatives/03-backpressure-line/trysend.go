package backpressure

// TrySend sends v on ch if that is possible without waiting: ch has room in its
// buffer, or a receiver is waiting. It reports whether v was sent. It never
// blocks, and nothing is left behind that would send v later.
//
// On a nil channel nothing can ever be sent: TrySend returns false. On a closed
// channel it panics, as every send does: only the sender may close.
func TrySend[T any](ch chan<- T, v T) bool {
	select {
	case ch <- v:
		return true
	default:
		return false
	}
}

//go:build ignore

// Mistake: The slots of a ring that has shrunk are kept as a spare, in case it grows again; the values in them are not zeroed.
// Killed by: forgets-what-was-handled
// Verdict: wrong-answer

package backpressure

type ring[T any] struct {
	slots []T // the length is 0 or a power of two
	spare []T // those from before the last time that the ring has shrunk
	head  int
	n     int
}

func (r *ring[T]) resize(size int) {
	slots := r.spare
	if len(slots) != size {
		slots = make([]T, size)
	}
	front := copy(slots, r.slots[r.head:min(r.head+r.n, len(r.slots))])
	copy(slots[front:], r.slots[:r.n-front])
	r.spare = nil
	if size < len(r.slots) && r.n > 0 {
		r.spare = r.slots
	}
	r.slots, r.head = slots, 0
}

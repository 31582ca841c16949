//go:build ignore

// Mistake: The places in the ring are counted in sixteen bits, which nobody thinks to fill: beyond 65536 pending values a new one takes the slot of an old one.
// Killed by: order-across-the-edge
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) {
		r.resize(max(2*len(r.slots), firstSize))
	}
	at := uint16(r.head + r.n)
	r.slots[int(at)&(len(r.slots)-1)] = v
	r.n++
}

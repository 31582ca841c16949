//go:build ignore

// Mistake: A slice is easiest to pop at its end, and nothing seems to go wrong while the queue is short.
// Killed by: first-in-first-out
// Verdict: wrong-answer

package workqueue

func (f *fifo[T]) pop() T {
	var zero T
	last := len(*f) - 1
	item := (*f)[last]
	(*f)[last] = zero
	*f = (*f)[:last]
	return item
}

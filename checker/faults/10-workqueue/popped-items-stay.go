//go:build ignore

// Mistake: The slot of a popped item is not cleared, and the array keeps what it points to alive
//   (kubernetes#104991).
// Killed by: forgets-what-is-done
// Verdict: wrong-answer

package workqueue

func (f *fifo[T]) pop() T {
	item := (*f)[0]
	*f = (*f)[1:]
	return item
}

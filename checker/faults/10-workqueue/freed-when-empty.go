//go:build ignore

// Mistake: A popped slot is not cleared, because the array goes when the queue runs empty; a busy queue never
//   does.
// Killed by: forgets-what-is-done
// Verdict: wrong-answer

package workqueue

func (f *fifo[T]) pop() T {
	item := (*f)[0]
	*f = (*f)[1:]
	if len(*f) == 0 {
		*f = nil
	}
	return item
}

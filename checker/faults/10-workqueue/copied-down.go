//go:build ignore

// Mistake: Pop moves the rest one place to the front, and the last slot goes on holding what it held.
// Killed by: forgets-what-is-done
// Verdict: wrong-answer

package workqueue

func (f *fifo[T]) pop() T {
	item := (*f)[0]
	*f = (*f)[:copy(*f, (*f)[1:])]
	return item
}

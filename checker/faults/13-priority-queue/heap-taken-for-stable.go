//go:build ignore

// Mistake: Keys of one priority are trusted to stay in order; a heap shuffles equals.
// Killed by: fifo-within-a-priority
// Verdict: wrong-answer

package priorityqueue

func (e *entry[T]) moreUrgent(other *entry[T]) bool {
	return e.priority > other.priority
}

//go:build ignore

// Mistake: One comparison serves both lines and looks at the time first: whatever was due longer goes before
//   what is urgent (controller-runtime#3330).
// Killed by: priority-outranks-time
// Verdict: wrong-answer

package priorityqueue

func (e *entry[T]) moreUrgent(other *entry[T]) bool {
	if !e.readyAt.Equal(other.readyAt) {
		return e.readyAt.Before(other.readyAt)
	}
	if e.priority != other.priority {
		return e.priority > other.priority
	}
	return e.order < other.order
}

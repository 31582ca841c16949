//go:build ignore

// Mistake: Priority is read as in Unix, where a lower number is more urgent.
// Killed by: higher-priority-first
// Verdict: wrong-answer

package priorityqueue

func (e *entry[T]) moreUrgent(other *entry[T]) bool {
	if e.priority != other.priority {
		return e.priority < other.priority
	}
	return e.order < other.order
}

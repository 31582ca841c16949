//go:build ignore

// Mistake: two priorities are compared by their difference, which overflows when they are far apart.
// Killed by: higher-priority-first
// Verdict: wrong-answer

package priorityqueue

func (e *entry[T]) moreUrgent(other *entry[T]) bool {
	if d := e.priority - other.priority; d != 0 {
		return d > 0
	}
	return e.order < other.order
}

//go:build ignore

// Mistake: The slice is cut and the last slot still points to the key (kubernetes#104991).
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

func (l *line[T]) Pop() any {
	last := len(l.entries) - 1
	e := l.entries[last]
	l.entries = l.entries[:last]
	return e
}

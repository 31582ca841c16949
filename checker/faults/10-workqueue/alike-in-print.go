//go:build ignore

// Mistake: The queue distinguishes items by what they print, and two errors with the same text are one item.
// Killed by: matches-the-model
// Verdict: wrong-answer

package workqueue

import "fmt"

type set[T comparable] map[any]struct{}

func (s set[T]) key(item T) any {
	if err, ok := any(item).(error); ok {
		return fmt.Sprintf("error %v", err)
	}
	return item
}

func (s set[T]) insert(item T) { s[s.key(item)] = struct{}{} }

func (s set[T]) has(item T) bool {
	_, ok := s[s.key(item)]
	return ok
}

func (s set[T]) remove(item T) { delete(s, s.key(item)) }

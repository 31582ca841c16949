//go:build ignore

// Mistake: An add of a key that waits for an earlier time already returns at once, before it has looked at the priority.
// Killed by: raised-never-lowered
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) AddAfter(item T, after time.Duration) {
	if q.comesBefore(item, after) {
		return
	}
	q.add(item, 0, after)
}

func (q *PriorityQueue[T]) comesBefore(item T, after time.Duration) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[item]
	return e != nil && e.stage == waiting && !e.readyAt.After(time.Now().Add(after))
}

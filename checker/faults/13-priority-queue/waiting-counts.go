//go:build ignore

// Mistake: Len is the size of the map: it counts keys that wait and keys that are handed out.
// Killed by: len-counts-what-is-ready
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.entries)
}

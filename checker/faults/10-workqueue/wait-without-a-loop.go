//go:build ignore

// Mistake: A goroutine that wakes up takes it for granted that there is an item for it; after a Broadcast
//   there is one for the first.
// Killed by: each-item-wakes-a-getter
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	q.work.Broadcast()
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

//go:build ignore

// Mistake: ShutDown toggles a flag that the drains compare with what it was when they began: two in a row toggle it back.
// Killed by: shutdown-aborts-a-drain
// Verdict: wrong-answer

package workqueue

import "sync"

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]

	shuttingDown bool
	round        bool

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) ShutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.round = !q.round
	q.idle.Broadcast()
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	round := q.round
	for q.busy() && q.round == round {
		q.idle.Wait()
	}
}

package kernel

import (
	"sync"
	"testing"
)

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []int
}

// get looks once: two that wake together both take the one item.
func (q *queue) get() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		q.cond.Wait()
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

func (q *queue) add(item int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.cond.Broadcast()
}

func Kernel(t testing.TB) {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				q.get()
			}
		})
	}
	for i := range 160 {
		q.add(i)
	}
	wg.Wait()
}

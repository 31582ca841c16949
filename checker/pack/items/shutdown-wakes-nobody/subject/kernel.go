package kernel

import (
	"sync"
	"testing"
)

type queue struct {
	mu     sync.Mutex
	cond   *sync.Cond
	items  []string
	closed bool
}

func (q *queue) add(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.cond.Signal()
}

func (q *queue) get() (string, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.cond.Wait()
	}
	if len(q.items) == 0 {
		return "", false
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item, true
}

// shutDown sets the flag, and those that wait do not look at it.
func (q *queue) shutDown() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

func Kernel(t testing.TB) {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	done := make(chan string, 2)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for item, ok := q.get(); ok; item, ok = q.get() {
				done <- item
			}
		})
	}
	q.add("default/web")
	<-done
	q.shutDown()
	wg.Wait()
}

package bench

import (
	"fmt"
	"sync"
	"testing"
	"time"

	ratelimitingqueue "github.com/controllerbook/controllerbook/solutions/12-rate-limiting-queue"
	priorityqueue "github.com/controllerbook/controllerbook/solutions/13-priority-queue"
)

func newPriorityQueue[T comparable]() *priorityqueue.PriorityQueue[T] {
	return priorityqueue.New(ratelimitingqueue.NewItemExponentialFailureRateLimiter[T](5*time.Millisecond, 1000*time.Second))
}

// BenchmarkPriorityQueueAddGetDone is controller-runtime's BenchmarkAddGetDone:
// 1000 keys in, and 1000 keys out.
func BenchmarkPriorityQueueAddGetDone(b *testing.B) {
	q := newPriorityQueue[int]()
	defer q.ShutDown()
	b.ReportAllocs()
	for b.Loop() {
		for i := range 1000 {
			q.Add(i)
		}
		for range 1000 {
			item, _ := q.Get()
			q.Done(item)
		}
	}
}

// BenchmarkPriorityQueueMixed adds each key twice, from the resync and then, for
// one in ten, from an event.
func BenchmarkPriorityQueueMixed(b *testing.B) {
	q := newPriorityQueue[int]()
	defer q.ShutDown()
	resync := priorityqueue.AddOpts{Priority: new(-100)}
	b.ReportAllocs()
	for b.Loop() {
		for i := range 1000 {
			q.AddWithOpts(resync, i)
		}
		for i := 0; i < 1000; i += 10 {
			q.Add(i)
		}
		for range 1000 {
			item, _ := q.Get()
			q.Done(item)
		}
	}
}

// BenchmarkPriorityQueueContended is 1000 keys through the queue with so many
// handlers adding them and as many workers taking them.
func BenchmarkPriorityQueueContended(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 16} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				throughPriorityQueue(n, 1000/n)
			}
		})
	}
}

// throughPriorityQueue runs n handlers that add so many keys each and n workers that take them.
func throughPriorityQueue(n, each int) {
	q := newPriorityQueue[int]()
	var handlers, workers, handled sync.WaitGroup
	handled.Add(n * each)
	for h := range n {
		handlers.Go(func() {
			for i := range each {
				q.Add(h*each + i)
			}
		})
		workers.Go(func() {
			for {
				item, shutdown := q.Get()
				if shutdown {
					return
				}
				q.Done(item)
				handled.Done()
			}
		})
	}
	handlers.Wait()
	handled.Wait()
	q.ShutDown()
	workers.Wait()
}

package bench

import (
	"sync"
	"testing"
	"time"

	upstreamlimiters "k8s.io/client-go/util/workqueue"
	upstream "sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"

	"github.com/controllerbook/controllerbook/labs/kit"
	ratelimitingqueue "github.com/controllerbook/controllerbook/solutions/12-rate-limiting-queue"
	priorityqueue "github.com/controllerbook/controllerbook/solutions/13-priority-queue"
)

// The limiters are those of either side, and controller-runtime's default.
const (
	baseDelay = 5 * time.Millisecond
	maxDelay  = 1000 * time.Second
)

func limiters(b *testing.B, measure func(b *testing.B, open func() kit.RateLimiter[string])) {
	beside(b,
		func() kit.RateLimiter[string] {
			return upstreamlimiters.NewTypedItemExponentialFailureRateLimiter[string](baseDelay, maxDelay)
		},
		func() kit.RateLimiter[string] {
			return ratelimitingqueue.NewItemExponentialFailureRateLimiter[string](baseDelay, maxDelay)
		},
		measure)
}

// BenchmarkRateLimiterWhen is one failure of one of 1000 items, each forgotten
// after four.
func BenchmarkRateLimiterWhen(b *testing.B) {
	items := keys(1000)
	limiters(b, func(b *testing.B, open func() kit.RateLimiter[string]) {
		limiter := open()
		for i := 0; b.Loop(); i++ {
			item := items[i%len(items)]
			limiter.When(item)
			if i/len(items)%4 == 3 {
				limiter.Forget(item)
			}
		}
	})
}

func priorityQueues(b *testing.B, measure func(b *testing.B, open func() kit.RateLimitingQueue[int])) {
	beside(b,
		func() kit.RateLimitingQueue[int] { return upstream.New[int]("") },
		func() kit.RateLimitingQueue[int] {
			return priorityqueue.New(ratelimitingqueue.NewItemExponentialFailureRateLimiter[int](baseDelay, maxDelay))
		},
		measure)
}

// BenchmarkPriorityQueue is controller-runtime's BenchmarkAddGetDone: 1000 keys in,
// and 1000 keys out.
func BenchmarkPriorityQueue(b *testing.B) {
	priorityQueues(b, func(b *testing.B, open func() kit.RateLimitingQueue[int]) {
		q := open()
		defer q.ShutDown()
		for b.Loop() {
			for i := range 1000 {
				q.Add(i)
			}
			for range 1000 {
				item, _ := q.Get()
				q.Done(item)
			}
		}
	})
}

// BenchmarkPriorityQueueContended is 1000 keys through a new queue, with eight
// handlers that add them and eight workers that take them.
func BenchmarkPriorityQueueContended(b *testing.B) {
	priorityQueues(b, func(b *testing.B, open func() kit.RateLimitingQueue[int]) {
		for b.Loop() {
			through(open(), 8, 125)
		}
	})
}

// through runs n handlers that add so many keys each and n workers that take them.
func through(q kit.RateLimitingQueue[int], n, each int) {
	var workers, handled sync.WaitGroup
	handled.Add(n * each)
	for h := range n {
		go func() {
			for i := range each {
				q.Add(h*each + i)
			}
		}()
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
	handled.Wait()
	q.ShutDown()
	workers.Wait()
}

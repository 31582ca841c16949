package bench

import (
	"sync"
	"testing"
	"time"

	upstream "k8s.io/client-go/util/workqueue"

	"github.com/controllerbook/controllerbook/labs/kit"
	workqueue "github.com/controllerbook/controllerbook/solutions/10-workqueue"
	delayingqueue "github.com/controllerbook/controllerbook/solutions/11-delaying-queue"
)

func workqueues[K comparable](b *testing.B, measure func(b *testing.B, open func() kit.Queue[K])) {
	beside(b,
		func() kit.Queue[K] { return upstream.NewTyped[K]() },
		func() kit.Queue[K] { return workqueue.New[K]() },
		measure)
}

// BenchmarkWorkqueueSingle is one key, added, got and done, by one goroutine: what
// upstream's BenchmarkQueue does a hundred times.
func BenchmarkWorkqueueSingle(b *testing.B) {
	keys := keys(100)
	workqueues(b, func(b *testing.B, open func() kit.Queue[string]) {
		q := open()
		for i := 0; b.Loop(); i++ {
			q.Add(keys[i%len(keys)])
			key, _ := q.Get()
			q.Done(key)
		}
	})
}

// BenchmarkWorkqueueBacklog adds 1000 keys and then works them off.
func BenchmarkWorkqueueBacklog(b *testing.B) {
	keys := keys(1000)
	workqueues(b, func(b *testing.B, open func() kit.Queue[string]) {
		q := open()
		for b.Loop() {
			for _, key := range keys {
				q.Add(key)
			}
			for range keys {
				key, _ := q.Get()
				q.Done(key)
			}
		}
	})
}

// BenchmarkWorkqueueContended is one item, added, got and done, by eight goroutines
// at once. No item is added twice, so there is one for every Get.
func BenchmarkWorkqueueContended(b *testing.B) {
	const goroutines = 8
	workqueues(b, func(b *testing.B, open func() kit.Queue[int]) {
		q := open()
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				for item := g; item < b.N; item += goroutines {
					q.Add(item)
					got, _ := q.Get()
					q.Done(got)
				}
			})
		}
		all.Wait()
	})
}

func delayingQueues(b *testing.B, measure func(b *testing.B, open func() kit.DelayingQueue[int])) {
	beside(b,
		func() kit.DelayingQueue[int] { return upstream.NewTypedDelayingQueue[int]() },
		func() kit.DelayingQueue[int] { return delayingqueue.New(workqueue.New[int]()) },
		measure)
}

// pending is how many items wait while AddAfter is measured.
const pending = 10_000

// BenchmarkAddAfterFill delays ten thousand new items, each due sooner than all
// before it: every one rises through the whole heap.
func BenchmarkAddAfterFill(b *testing.B) {
	delayingQueues(b, func(b *testing.B, open func() kit.DelayingQueue[int]) {
		for b.Loop() {
			q := open()
			for i := range pending {
				q.AddAfter(i, 10*time.Hour-time.Duration(i)*time.Second)
			}
			taken(q)
			q.ShutDown()
		}
	})
}

// BenchmarkAddAfterSooner delays an item that waits among ten thousand again, each
// time due sooner than all others.
func BenchmarkAddAfterSooner(b *testing.B) {
	delayingQueues(b, func(b *testing.B, open func() kit.DelayingQueue[int]) {
		q := open()
		defer q.ShutDown()
		for i := range pending {
			q.AddAfter(i, 20*time.Hour)
		}
		taken(q)
		b.ResetTimer()
		for i := range b.N {
			q.AddAfter(i%pending, 10*time.Hour-time.Duration(i)*time.Microsecond)
		}
		taken(q)
	})
}

// BenchmarkAddAfterContended does the same from eight goroutines.
func BenchmarkAddAfterContended(b *testing.B) {
	const goroutines = 8
	delayingQueues(b, func(b *testing.B, open func() kit.DelayingQueue[int]) {
		q := open()
		defer q.ShutDown()
		for i := range pending {
			q.AddAfter(i, 20*time.Hour)
		}
		taken(q)
		b.ResetTimer()
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				for i := g; i < b.N; i += goroutines {
					q.AddAfter(i%pending, 10*time.Hour-time.Duration(i)*time.Microsecond)
				}
			})
		}
		all.Wait()
		taken(q)
	})
}

// taken returns when all calls before it have had their effect. Upstream's AddAfter
// hands over to a goroutine through a channel, a thousand deep; what was
// delayed last comes out of it last.
func taken(q kit.DelayingQueue[int]) {
	q.AddAfter(-1, time.Nanosecond)
	item, _ := q.Get()
	q.Done(item)
}

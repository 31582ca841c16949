package bench

import (
	"testing"
	"time"

	workqueue "github.com/controllerbook/controllerbook/solutions/10-workqueue"
	delayingqueue "github.com/controllerbook/controllerbook/solutions/11-delaying-queue"
)

const pending = 10_000

// BenchmarkAddAfter delays a new key while 10000 others wait: a push, and with the
// earliest of all moments, so that it rises through the whole heap.
func BenchmarkAddAfter(b *testing.B) {
	q := delayingqueue.New(workqueue.New[int]())
	defer q.ShutDown()
	for i := range pending {
		q.AddAfter(-i, 20*time.Hour)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		q.AddAfter(i, 10*time.Hour-time.Duration(i)*time.Microsecond)
	}
}

// BenchmarkAddAfterAgain delays keys that wait already: each is found in the map
// and moved forward in a heap of 10000.
func BenchmarkAddAfterAgain(b *testing.B) {
	q := delayingqueue.New(workqueue.New[int]())
	defer q.ShutDown()
	for i := range pending {
		q.AddAfter(i, 20*time.Hour)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		q.AddAfter(i%pending, 10*time.Hour-time.Duration(i)*time.Microsecond)
	}
}

// BenchmarkAddAfterContended is BenchmarkAddAfterAgain by so many goroutines at once.
func BenchmarkAddAfterContended(b *testing.B) {
	each(b, func(b *testing.B, goroutines int) {
		q := delayingqueue.New(workqueue.New[int]())
		defer q.ShutDown()
		for i := range pending {
			q.AddAfter(i, 20*time.Hour)
		}
		contend(b, goroutines, func(_, i int) {
			q.AddAfter(i%pending, 10*time.Hour-time.Duration(i)*time.Microsecond)
		})
	})
}

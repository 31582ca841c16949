package bench

import (
	"strconv"
	"sync"
	"testing"

	workqueue "github.com/controllerbook/controllerbook/solutions/10-workqueue"
)

// BenchmarkWorkqueue is upstream's BenchmarkQueue: 100 keys through a queue that is
// never longer than one.
func BenchmarkWorkqueue(b *testing.B) {
	keys := keys(100)
	b.ReportAllocs()
	for b.Loop() {
		q := workqueue.New[string]()
		for _, key := range keys {
			q.Add(key)
			key, _ := q.Get()
			q.Done(key)
		}
	}
}

// BenchmarkWorkqueueBacklog adds 1000 keys and then works them off.
func BenchmarkWorkqueueBacklog(b *testing.B) {
	keys := keys(1000)
	q := workqueue.New[string]()
	b.ReportAllocs()
	for b.Loop() {
		for _, key := range keys {
			q.Add(key)
		}
		for range keys {
			key, _ := q.Get()
			q.Done(key)
		}
	}
}

// BenchmarkWorkqueueContended is one add, get and done, by so many goroutines at
// once. No item is added twice, so there is one for every Get.
func BenchmarkWorkqueueContended(b *testing.B) {
	for _, n := range []int{1, 2, 4, 8, 16} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			q := workqueue.New[int]()
			var all sync.WaitGroup
			for i := range n {
				all.Go(func() {
					for item := i; item < b.N; item += n {
						q.Add(item)
						got, _ := q.Get()
						q.Done(got)
					}
				})
			}
			all.Wait()
		})
	}
}

func keys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = "default/pod-" + strconv.Itoa(i)
	}
	return keys
}

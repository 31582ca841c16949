package workqueuetest

import (
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// drainedMeanwhile drains a queue while others add, get and ask. Each goroutine calls the
// queue and nothing else that it would share, so that the queue alone orders them.
func drainedMeanwhile(t *conform.T, queue Subject) {
	const adds = 50
	call := t.Call("ShutDownWithDrain(), while a handler adds, two workers work and two probes ask")
	var all sync.WaitGroup
	all.Go(func() {
		for i := range adds {
			queue.Add(items[i%len(items)])
		}
	})
	for range 2 {
		all.Go(func() {
			for item, shutdown := queue.Get(); !shutdown; item, shutdown = queue.Get() {
				queue.Done(item)
			}
		})
	}
	all.Go(func() {
		for range adds {
			queue.ShuttingDown()
		}
	})
	all.Go(func() {
		for range adds {
			queue.Len()
		}
	})
	all.Go(queue.ShutDownWithDrain)
	all.Wait()
	call.Returned("all of them have returned")
}

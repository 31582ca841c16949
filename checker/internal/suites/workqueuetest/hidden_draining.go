package workqueuetest

import (
	"runtime"
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

// calledOffMeanwhile ends a drain by ShutDown while workers call Done. As above, the queue alone
// orders them. There is one drain, because the end of the work need not wake more.
func calledOffMeanwhile(t *conform.T, open func() Subject) {
	const rounds = 20
	call := t.Call("ShutDown(), while a drain waits for three workers that call Done: %d queues, one after the other", rounds)
	for range rounds {
		queue := open()
		var all sync.WaitGroup
		waitForShutDown := func() { // not for ever: ShuttingDown may be what is wrong
			for n := 0; n < 1000 && !queue.ShuttingDown(); n++ {
				runtime.Gosched()
			}
		}
		for _, item := range items {
			queue.Add(item)
			_, _ = queue.Get()
			all.Go(func() {
				waitForShutDown()
				queue.Done(item)
			})
		}
		all.Go(queue.ShutDownWithDrain)
		waitForShutDown()
		queue.ShutDown()
		all.Wait()
	}
	call.Returned("all of them have returned")
}

package workqueuetest

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// shutForAll shuts queues down while one goroutine waits in Get and another asks ShuttingDown again
// and again. From the moment at which one call says that the queue is shut down all calls do.
func shutForAll(t *conform.T, open func() Subject) {
	const rounds = 150
	call := t.Call("the shutdown of %d queues, while a goroutine waits in Get and one asks ShuttingDown", rounds)
	for round := range rounds {
		queue := open()
		var all sync.WaitGroup
		all.Go(func() {
			item, shutdown := queue.Get()
			switch {
			case shutdown:
				t.Assert(queue.ShuttingDown(), "Get said that the queue is shut down, and after it ShuttingDown said false.")
			case item == "late":
				t.Errorf("ShuttingDown said true, then an item was added, and Get handed it out: after a shutdown Add does nothing.")
			default:
				t.Errorf("Get returned %q as an item to work on, and nobody has added that.", item)
			}
		})
		all.Go(func() {
			down := false
			for n := 0; n < 1000 && !down; n++ {
				down = queue.ShuttingDown()
				runtime.Gosched()
			}
			if down {
				queue.Add("late")
				n := queue.Len()
				t.Assert(n == 0, "ShuttingDown said true, then an item was added, and Len is %d: after a shutdown Add does nothing.", n)
			}
		})
		runtime.Gosched()
		if round%2 == 0 {
			queue.ShutDown()
		} else {
			queue.ShutDownWithDrain()
		}
		all.Wait()
	}
	call.Returned("all of them have returned")
}

// queuedForAll has a drain begin while the only item, which is dirty, becomes done. When the drain
// has returned, nothing is being processed: so the item is done, and queued again.
func queuedForAll(t *conform.T, open func() Subject) {
	const rounds = 150
	call := t.Call("ShutDownWithDrain(), then Len(), while a dirty item becomes done: %d queues", rounds)
	for range rounds {
		queue := open()
		queue.Add("a")
		_, _ = queue.Get()
		queue.Add("a")
		var taking atomic.Bool
		var all sync.WaitGroup
		all.Go(func() {
			queue.ShutDownWithDrain()
			n := queue.Len()
			t.Assert(n == 1 || taking.Load(), "The only item was dirty, ShutDownWithDrain has returned, and Len is %d. When nothing is being processed the item is done, and so it is queued again: Len should be 1.", n)
		})
		queue.Done("a")
		runtime.Gosched()
		taking.Store(true) // a drain may wait for what is queued
		_, _ = queue.Get()
		queue.Done("a")
		all.Wait()
	}
	call.Returned("all of them have returned")
}

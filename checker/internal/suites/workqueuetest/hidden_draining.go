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

// calledOffInAGap has ShutDown end a drain that has just begun to wait, or begins again, because
// for a moment nothing was being processed. The worker is never done, so ShutDown alone can end it.
func calledOffInAGap(t *conform.T, open func() Subject) {
	const rounds = 200
	call := t.Call("ShutDown() while a drain waits for a worker that calls Done and gets its dirty item again: %d queues, one after the other. All calls have to return, the drain too", rounds)
	for range rounds {
		queue := open()
		queue.Add("a")
		_, _ = queue.Get()
		queue.Add("a")
		var all sync.WaitGroup
		all.Go(queue.ShutDownWithDrain)
		_, _ = queue.Get() // says that the queue is shut down: the drain is under way
		t.Require(queue.ShuttingDown(), "The only item was being processed, and Get has returned, while ShuttingDown says that the queue is not shut down. While nothing is queued Get waits.")
		all.Go(func() {
			queue.Done("a")
			_, _ = queue.Get()
		})
		queue.ShutDown()
		all.Wait()
	}
	call.Returned("all of them have returned")
}

// seenThroughTheQueue adds an item that is queued already, or dirty, and requires that what was
// written before is seen by who gets the item. The worker learns of the Add in a way that
// orders nothing; the race detector sees what the queue alone has ordered.
func seenThroughTheQueue(t *conform.T, queue Subject) {
	call := t.Call("Add(\"a\") by a handler that has written something, while a is queued and while it is being processed and dirty; then Get() by a worker that reads it")
	for _, held := range []bool{false, true} {
		queue.Add("a")
		if held {
			_, _ = queue.Get()
			queue.Add("a")
		}
		var written int
		added := conform.NewUnseen()
		var all sync.WaitGroup
		all.Go(func() {
			written = 1
			queue.Add("a")
			added.Come()
		})
		all.Go(func() {
			added.Wait()
			if held {
				queue.Done("a")
			}
			item, _ := queue.Get()
			t.Assert(written == 1, "What a handler wrote before Add(\"a\") is not seen by the worker that gets a.")
			queue.Done(item)
		})
		all.Wait()
	}
	queue.ShutDown()
	call.Returned("both have returned")
}

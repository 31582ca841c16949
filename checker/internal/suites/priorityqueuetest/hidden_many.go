package priorityqueuetest

import (
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// manyAtOnce adds many keys in one call, and more that come at one instant, at which nothing but
// the queue's own timer runs. There are no more because a queue need not be fast: one may look at
// every key in every call.
func manyAtOnce(t *conform.T, s Subject) {
	const now, later = 500, 2500
	queue := s.New(fake.Always[string](0))
	q := client{queues.CallingPriority(t.Actor, queue)}
	call := t.Call("AddWithOpts of %d keys, in one call", now)
	queue.AddWithOpts(kit.AddOpts{}, names("now", now)...)
	call.Returned("")
	q.Holds(t, now, "500 keys were added without delay in one call, which has returned")
	call = t.Call("AddWithOpts({After: 1s}, …) of %d more, one by one", later)
	for i, k := range names("later", later) {
		queue.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(i)}, k) // rises, so that a sorted list has it in front
	}
	call.Returned("")
	pass(t, 2*time.Second)
	q.Holds(t, now+later, "500 keys were added without delay, and 2500 with a delay of 1s, which is over")
	q.ShutDown()
}

// manyGet has as many workers wait in Get as keys can be handed out at one moment: because of one
// add, because the time of all has come, and because of one Done after the other.
func manyGet(t *conform.T, s Subject) {
	queue := s.New(fake.Always[string](0))
	all := names("key", 100)
	done := func() {
		for _, k := range all {
			queue.Done(k)
		}
	}
	served(t, queue, len(all), "100 keys were added in one call", func() { queue.AddWithOpts(kit.AddOpts{}, all...) })
	done()
	served(t, queue, len(all), "100 keys were added with a delay of 1s, which is over", func() {
		queue.AddWithOpts(kit.AddOpts{After: time.Second}, all...)
		time.Sleep(2 * time.Second)
	})
	queue.AddWithOpts(kit.AddOpts{}, all...) // all are locked
	served(t, queue, len(all), "100 keys, which were added again while workers held them, are done", done)
	queue.ShutDown()
}

// served has n workers wait in Get and requires that each of them has a key after do.
func served(t *conform.T, queue kit.PriorityQueue[string], n int, happened string, do func()) {
	came := new(atomic.Int32)
	for range n {
		t.Go("worker", func(*conform.Actor) {
			if _, shutdown := queue.Get(); !shutdown {
				came.Add(1)
			}
		})
	}
	t.Wait()
	t.Note("%d workers wait in Get", n)
	t.Require(came.Load() == 0, "No key can be handed out, and Get handed out %d.", came.Load())
	t.Do(do, "%s", happened)
	pass(t, aMoment)
	t.Require(int(came.Load()) == n, "%d workers waited in Get, and %s. Each of the keys can be handed out, and %d workers have got one.", n, happened, came.Load())
}

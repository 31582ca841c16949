package workqueuetest

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// life is a way of an item through a queue. At its end the item is neither queued nor being
// processed.
type life struct {
	what   string
	queues int
	live   func(t *conform.T, q Subject, item func() string)
}

var lives = []life{
	{"was added once more while it was being processed, was taken again and is done", 16, addedMeanwhile},
	{"was added while a worker waited in Get, and is done", 16, waitedFor},
	{"was being processed when ShutDown was called, and is done", 16, heldAtShutDown},
	{"was being processed when ShutDownWithDrain was called, which waited for it, and is done", 16, heldAtDrain},
	{"was added after ShutDown was called", 16, addedTooLate},
	{"was queued at the ShutDown and is done, while another is still queued", 16, queuedAtShutDown},
	{"is done while ShutDownWithDrain waits for another", 16, doneInADrain},
	{"was queued again by Done three times, while another was queued and a third was being processed, and is done", 16, requeuedThrice},
	{"was dirty when ShutDown was called, was queued again by its Done, was taken again and is done", 16, dirtyAtShutDown},
	{"was dirty when ShutDownWithDrain was called, was queued again by its Done, was taken again and is done", 16, dirtyAtDrain},
	{"was being processed when ShutDown ended a drain that waited for it, and is done", 16, heldAtAbort},
	{"was one of a thousand that were queued at once, and is done", 1, oneOfAThousand},
}

// forgetsWhatEndsOtherwise requires that the queue keeps nothing of an item whatever became of it.
func forgetsWhatEndsOtherwise(t *conform.T, open func() Subject) {
	for _, l := range lives {
		var all []Subject
		var payloads []weak.Pointer[byte]
		item := func() string {
			s := fmt.Sprintf("%05d", len(payloads)) + strings.Repeat(".", 100)
			payloads = append(payloads, weak.Make(unsafe.StringData(s)))
			return s
		}
		t.Note("in %d other queues: an item that %s", l.queues, l.what)
		for range l.queues {
			q := open()
			apart(func() { l.live(t, q, item) })
			if t.Failed() {
				t.FailNow()
			}
			all = append(all, q)
		}
		alive := probe.Alive(payloads)
		t.Require(alive <= 4, "%d items have gone through %d queues, and each of them %s. None is queued or being processed now, and the queues still keep %d of them in memory. They should keep none.",
			len(payloads), l.queues, l.what, alive)
		for _, q := range all {
			q.ShutDown()
		}
	}
}

// apart runs f on a goroutine of its own, so that no stack is left that could hold on to an item.
func apart(f func()) {
	var done sync.WaitGroup
	done.Go(f)
	done.Wait()
}

// take takes an item of a queue that is not both shut down and empty. If Get says that it is, the life
// of the item ends there: there is nothing to call Done for.
func take(t *conform.T, q Subject) string {
	item, shutdown := q.Get()
	if !t.Assert(!shutdown, "Get returned %q, true: it says that the queue is shut down and empty. That is not so here.", item) {
		runtime.Goexit()
	}
	return item
}

func addedMeanwhile(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	held := take(t, q)
	q.Add(held)
	q.Done(held)
	held = take(t, q)
	q.Done(held)
}

func waitedFor(t *conform.T, q Subject, item func() string) {
	var worker sync.WaitGroup
	worker.Go(func() {
		held := take(t, q)
		q.Done(held)
	})
	t.Wait()
	q.Add(item())
	worker.Wait()
}

func heldAtShutDown(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	held := take(t, q)
	q.ShutDown()
	q.Done(held)
}

func heldAtDrain(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	held := take(t, q)
	var drain sync.WaitGroup
	drain.Go(q.ShutDownWithDrain)
	t.Wait()
	q.Done(held)
	drain.Wait()
}

func addedTooLate(_ *conform.T, q Subject, item func() string) {
	q.ShutDown()
	q.Add(item())
}

func queuedAtShutDown(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	q.Add("stays")
	q.ShutDown()
	held := take(t, q)
	q.Done(held)
}

// doneInADrain leaves the drain under way, until the queue is shut down.
func doneInADrain(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	q.Add("held")
	held := take(t, q)
	take(t, q)
	go q.ShutDownWithDrain()
	t.Wait()
	q.Done(held)
}

// requeuedThrice leaves one item queued and one in the hands of a worker. The latter's Done comes last.
func requeuedThrice(t *conform.T, q Subject, item func() string) {
	q.Add("other")
	other := take(t, q)
	q.Add(item())
	held := take(t, q)
	for range 3 {
		q.Add(held)
		q.Done(held)
		held = take(t, q)
	}
	q.Add("stays")
	q.Done(held)
	q.Done(other)
}

func dirtyAtShutDown(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	held := take(t, q)
	q.Add(held)
	q.ShutDown()
	q.Done(held)
	held = take(t, q)
	q.Done(held)
}

// dirtyAtDrain has the drain return before the item is taken again, if it returns then.
func dirtyAtDrain(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	held := take(t, q)
	q.Add(held)
	var drain sync.WaitGroup
	drain.Go(q.ShutDownWithDrain)
	t.Wait()
	q.Done(held)
	t.Wait()
	held = take(t, q)
	q.Done(held)
	drain.Wait()
}

func heldAtAbort(t *conform.T, q Subject, item func() string) {
	q.Add(item())
	held := take(t, q)
	var drain sync.WaitGroup
	drain.Go(q.ShutDownWithDrain)
	t.Wait()
	q.ShutDown()
	drain.Wait()
	q.Done(held)
}

func oneOfAThousand(t *conform.T, q Subject, item func() string) {
	const n = 1000
	for range n {
		q.Add(item())
	}
	for range n {
		held := take(t, q)
		q.Done(held)
	}
}

package workqueuetest

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

var draining = []conform.Case[Subject]{
	{
		Name:   "drain-waits-for-workers",
		Points: 6,
		Func:   "Queue.ShutDownWithDrain",
		Look:   []string{"Queue.ShutDownWithDrain", "Queue.Done", "Queue.Get"},
		Rule:   "ShutDownWithDrain accepts nothing new, lets Get hand out what is queued, and blocks for as long as any item is being processed.",
		Why:    "The caller of a drain goes on to close what the workers use: clients, leases, log files.",
		Hint: []string{
			"Are your two shutdowns the same in all but the waiting? What does the second wait for, and which Done wakes it?",
			"Wait in a loop, as Get does: the first Done is not the last.",
		},
		Source: "client-go util/workqueue/queue.go: Typed.ShutDownWithDrain (no test of upstream fails if it returns after the first Done)",
		Contract: []string{
			"Once ShutDown or ShutDownWithDrain has been called, Add does nothing",
			"What is queued when the queue is shut down is still handed out",
			"blocks for as long as an item is being processed, or until ShutDown is called. Once nothing is queued and nothing is being processed it returns",
			"ShuttingDown reports whether ShutDown or ShutDownWithDrain was called",
			"shuts the queue down as ShutDown does, even if there is nothing to wait for",
			"each drain waits for the workers anew",
			"Any value of T may be an item, its zero value too",
			"While nothing is queued Get waits",
			"returns the zero value and true: the worker that called it should end",
			"one goroutine that waits in Get is woken",
			"the end of the work has to wake one of them, and need not wake more",
			"ends all drains of this queue that were called before it",
			"hold no mutex meanwhile that another call needs",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Add("before")
			q.Expect(t, "before")
			q.Done("before") // nothing is left: a drain that came now would be over
			for _, item := range []string{"a", "b", "c"} {
				q.Add(item)
			}
			q.Expect(t, "a")
			q.Expect(t, "b")
			drained := q.Drain(t)
			t.Require(!probe.Closed(drained), "ShutDownWithDrain returned at once, before anybody called Done, while a and b were being processed and c was queued.")
			t.Require(q.ShuttingDown(), "ShuttingDown is false while ShutDownWithDrain is under way.")
			q.Add("late")
			q.Add("a")
			q.Holds(t, 1, "while the queue drains no Add counts, and nothing is dropped")
			q.Expect(t, "c")
			for _, item := range []string{"b", "a"} {
				q.Done(item)
				t.Wait()
				t.Require(!probe.Closed(drained), "ShutDownWithDrain waited until %s was done and then returned, while c was still being processed, which was queued when the drain began.", item)
			}
			sentHome(t, q, "c is being processed")
			time.Sleep(time.Hour + odd)
			t.Require(!probe.Closed(drained), "\"c\" has been processed for more than an hour, and ShutDownWithDrain has returned: it blocks for as long as an item is being processed, however long that takes.")
			q.Done("c")
			t.Wait()
			t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned.")
			t.Require(q.ShuttingDown(), "ShuttingDown is false after ShutDownWithDrain was called and has returned.")
			drainedFromAWaiter(t, queues.Calling(t.Actor, open()))
			drainsAgain(t, queues.Calling(t.Actor, open()))
			twoDrains(t, queues.Calling(t.Actor, open()))
			zeroIsStillHeld(t, queues.Calling(t.Actor, open()))
			drainOfABusyWorker(t, open)
			drainsOfOthers(t, open)
			drainOfMany(t, open())
			drainOfNothing(t, queues.Calling(t.Actor, open()))
		},
	},
	{
		Name:   "drain-requeues-the-dirty",
		Points: 5,
		Func:   "Queue.Done",
		Look:   []string{"Queue.Done", "Queue.Get"},
		Rule:   "An item that became dirty before the shutdown is queued again by its Done, although the queue is shutting down.",
		Why:    "The change was accepted: the worker began before it, so its result is about a state that is already old.",
		Hint: []string{
			"Does Done check the shutdown flag? Should it?",
		},
		Source: "client-go util/workqueue/queue_test.go: TestQueueDrainageUsingShutDownWithDrainWithDirtyItem",
		Contract: []string{
			"this is so even when the queue is shutting down",
			"After a shutdown Get never waits, not even for items that are being processed and dirty",
			"If item is dirty it is put at the tail of the queue",
			"blocks for as long as an item is being processed, or until ShutDown is called. Once nothing is queued and nothing is being processed it returns",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Add("a")
			q.Expect(t, "a")
			q.Add("a")
			drained := q.Drain(t)
			t.Require(!probe.Closed(drained), "ShutDownWithDrain returned while a was being processed.")
			sentHome(t, q, "a is being processed and dirty")
			q.Done("a")
			if n := q.Len(); n != 1 {
				t.Fatalf("\"a\" was dirty when ShutDownWithDrain was called, and then done: Len is %d, and should be 1. Done queues a dirty item, shutting down or not. Where the queue was not shut down, the same calls left a Len of %d; with ShutDown in place of ShutDownWithDrain, of %d.",
					n, dirtyThenDone(t, open(), nil), dirtyThenDone(t, open(), queues.Client.ShutDown))
			}
			q.Expect(t, "a") // whether the drain has returned meanwhile is left open
			q.Done("a")
			q.Holds(t, 0, "an item is done, and nobody has added it since Get handed it out")
			t.Wait()
			t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned.")
			drainedAfterARequeue(t, queues.Calling(t.Actor, open()))
			requeuedBesideAnother(t, queues.Calling(t.Actor, open()))
		},
	},
	{
		Name:   "shutdown-aborts-a-drain",
		Points: 5,
		Func:   "Queue.ShutDown",
		Look:   []string{"Queue.ShutDown", "Queue.ShutDownWithDrain"},
		Rule:   "ShutDown makes every ShutDownWithDrain that is under way return, whatever is still being processed.",
		Why:    "The first SIGTERM drains. The second, or the end of the grace period, means: stop waiting for the worker that hangs.",
		Hint: []string{
			"What besides the last Done must end the wait? How does the waiting goroutine see it?",
			"ShutDown has to leave a mark that the loop around Wait looks at, and to wake that loop.",
		},
		Source:   "client-go util/workqueue/queue_test.go: TestForceQueueShutdownUsingShutDown",
		Contract: []string{"Every ShutDown, not only the first, ends all drains of this queue that were called before it: they return", "Once nothing is queued and nothing is being processed it returns", "blocks for as long as an item is being processed, or until ShutDown is called", "this is so even when the queue is shutting down", "If the queue starts goroutines of its own, they have ended, or are about to end, by the time ShutDown or ShutDownWithDrain returns"},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := queues.Calling(t.Actor, open())
			q.Add("hangs")
			q.Add("b")
			q.Expect(t, "hangs")
			q.Add("hangs") // dirty, and stays so
			drains := []<-chan struct{}{q.Drain(t), q.Drain(t)}
			for i, drained := range drains {
				t.Require(!probe.Closed(drained), "ShutDownWithDrain number %d returned while an item was being processed.", i+1)
			}
			q.ShutDown()
			t.Wait()
			for i, drained := range drains {
				t.Require(probe.Closed(drained), "ShutDown was called, and ShutDownWithDrain number %d still waits: ShutDown has not woken it, or does nothing where the queue is shutting down already, or the drain looks only at what is being processed when it wakes up.", i+1)
			}
			t.Require(q.ShuttingDown(), "ShuttingDown is false after ShutDown was called.")
			q.Expect(t, "b")
			q.Done("b")
			q.Done("hangs") // after all
			q.Holds(t, 1, "an item was dirty when ShutDown ended the drains, and is done")
			drainAfterShutDown(t, queues.Calling(t.Actor, open()))
			drainLeftBehind(t, queues.Calling(t.Actor, open()))
			drainAfterAnAbort(t, queues.Calling(t.Actor, open()))
			for _, times := range []int{2, 3} {
				calledOffAgain(t, open, times)
			}
		},
	},
	{
		Name:   "drain-misses-no-done",
		Points: 5,
		Func:   "Queue.ShutDownWithDrain",
		Rule:   "A Done or a ShutDown at the very moment at which ShutDownWithDrain begins to wait is not missed.",
		Why:    "client-go once checked and waited in two critical sections. A ShutDown that came in between went unnoticed, and the drain hung; a Done can get lost in the same gap.",
		Hint: []string{
			"Between your check of the processing set and your Wait, is the lock ever free?",
			"Wait releases the lock and goes to sleep in one step. Check, and Wait, under one Lock; do not put the check into a method that locks by itself.",
		},
		Source: "kubernetes#119554; Go sync/cond.go: Cond.Wait",
		Contract: []string{
			"Once nothing is queued and nothing is being processed it returns",
			"ends all drains of this queue that were called before it: they return",
			"While nothing is queued Get waits",
			"ShuttingDown reports whether ShutDown or ShutDownWithDrain was called",
			"A new queue is small, less than half a megabyte",
		},
		Long: true,
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { lastDoneOfMany(t, open) })
			t.Copies(func(t *conform.T) {
				for range 200 {
					q := queues.Calling(t.Actor, open())
					q.Add("a")
					q.Expect(t, "a")
					t.Go("worker", func(a *conform.Actor) { q.As(a).Done("a") })
					q.ShutDownWithDrain()
					t.Join()
				}
				calledOffInAGap(t, open)
			})
		},
	},
}

// drainedFromAWaiter drains a queue whose only item went to a worker that was waiting for it. The
// item is the zero value, which counts as any other.
func drainedFromAWaiter(t *conform.T, q queues.Client) {
	t.Note("another queue")
	got := park(t, q, "worker", 1)
	allWait(t, got)
	q.Add("")
	t.Wait()
	t.Require(len(got) == 1, "\"\" was added while a worker waited in Get, and it still waits.")
	g := <-got
	t.Require(g == taken{"", false}, "\"\" was added while a worker waited in Get: it should have returned \"\", false, and returned %v.", g)
	drained := q.Drain(t)
	t.Require(!probe.Closed(drained), "ShutDownWithDrain returned at once, while \"\" was being processed: a worker waited in Get when it was added, and got it. The zero value is an item like any other.")
	q.Done("")
	t.Wait()
	t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned.")
	q.Add("late")
	q.Holds(t, 0, "after a drain no Add counts, although it has returned")
}

// drainsAgain lets the work end twice: once with something queued, when a drain may return or wait
// on, and once for good. If the first drain has returned, another one meets the second end, and must
// wait for it: that a drain has ended before says nothing about the work that came since.
func drainsAgain(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Add("b")
	q.Expect(t, "a")
	drained := q.Drain(t)
	q.Done("a")
	t.Wait()
	early := probe.Closed(drained)
	q.Expect(t, "b")
	t.Wait()
	t.Require(early || !probe.Closed(drained), "A drain went on when a was done and b was still queued, which it may. Then Get handed b out, and ShutDownWithDrain returned, while b is being processed.")
	if early {
		drained = q.Drain(t)
		t.Require(!probe.Closed(drained), "A drain returned when a was done and b was still queued, which it may. Then Get handed b out, and ShutDownWithDrain was called again: it returned at once, while b is being processed.")
	}
	q.Done("b")
	t.Wait()
	t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned. A queue may be drained again, with what was still queued when another drain returned.")
}

// twoDrains has the end of the work meet two drains: it wakes one of them at least, and no Done
// before it wakes any. One that begins after the end has nothing to wait for.
func twoDrains(t *conform.T, q queues.Client) {
	t.Note("another queue")
	for _, item := range []string{"a", "b"} {
		q.Add(item)
		q.Expect(t, item)
	}
	first, second := q.Drain(t), q.Drain(t)
	t.Require(!probe.Closed(first) && !probe.Closed(second), "ShutDownWithDrain was called twice while \"a\" and \"b\" were being processed, and one of the two has returned.")
	q.Done("b")
	t.Wait()
	t.Require(!probe.Closed(first) && !probe.Closed(second), "ShutDownWithDrain was called twice while \"a\" and \"b\" were being processed. \"b\" is done, and one of the two has returned, while \"a\" is being processed.")
	q.Done("a")
	t.Wait()
	t.Require(probe.Closed(first) || probe.Closed(second), "Two drains waited, and nothing is queued and nothing is being processed now. Neither has returned: the end of the work has to wake one of them.")
	late := q.Drain(t)
	t.Require(probe.Closed(late), "Nothing was queued and nothing was being processed when ShutDownWithDrain was called, and it has not returned.")
	q.ShutDown() // for the other
}

// drainOfNothing drains a queue that was used and is empty now: that shuts it down, as any drain does.
func drainOfNothing(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Expect(t, "a")
	q.Done("a")
	drained := q.Drain(t)
	t.Require(probe.Closed(drained), "Nothing was queued and nothing was being processed when ShutDownWithDrain was called, and it has not returned.")
	t.Require(q.ShuttingDown(), "ShuttingDown is false after ShutDownWithDrain was called, in which nothing was left to wait for.")
	q.Add("late")
	q.Holds(t, 0, "after a drain no Add counts, although the drain had nothing to wait for")
}

// drainOfMany drains a queue with very many workers at work.
func drainOfMany(t *conform.T, queue Subject) {
	const n = 256
	q := queues.Calling(t.Actor, queue)
	for i := range n {
		item := fmt.Sprint(i)
		queue.Add(item)
		got, shutdown := queue.Get()
		t.Require(got == item && !shutdown, "Only %q is queued, and Get returned %q, %t.", item, got, shutdown)
	}
	t.Note("another queue, of which workers hold %d items", n)
	drained := q.Drain(t)
	for i := range n {
		t.Require(!probe.Closed(drained), "Workers held %d items. ShutDownWithDrain returned when %d of them were done, while the others were being processed.", n, i)
		queue.Done(fmt.Sprint(i))
		t.Wait()
	}
	t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned. Workers held %d items when it began, and all are done.", n)
}

// drainedAfterARequeue drains a queue whose only item was dirty, was queued again and is being
// processed for the second time.
func drainedAfterARequeue(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Expect(t, "a")
	q.Add("a")
	q.Done("a")
	q.Expect(t, "a")
	drained := q.Drain(t)
	t.Require(!probe.Closed(drained), "ShutDownWithDrain returned at once, while a was being processed for the second time: it was dirty, and Done had queued it again.")
	q.Done("a")
	t.Wait()
	t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned. Before the drain began, Done had queued a dirty item once.")
}

// drainAfterShutDown begins a drain after a ShutDown. Whether it waits is left open; the next
// ShutDown ends it.
func drainAfterShutDown(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Expect(t, "a")
	q.ShutDown()
	drained := q.Drain(t)
	q.ShutDown()
	t.Wait()
	t.Require(probe.Closed(drained), "ShutDown was called, then ShutDownWithDrain, which waited, and then ShutDown once more: the drain still waits, and every ShutDown ends the drains that are under way.")
	drained = q.Drain(t)
	q.Done("a")
	t.Wait()
	t.Require(probe.Closed(drained), "ShutDown was called, then ShutDownWithDrain, and then the only item was done: nothing is queued and nothing is being processed, and the drain still waits.")
}

// requeuedBesideAnother has a dirty item done in a drain, while another item is being processed.
func requeuedBesideAnother(t *conform.T, q queues.Client) {
	t.Note("another queue")
	for _, item := range []string{"a", "b"} {
		q.Add(item)
		q.Expect(t, item)
	}
	q.Add("a")
	q.Add("c")
	drained := q.Drain(t)
	q.Done("a") // goes behind c, in a drain as ever
	t.Wait()
	t.Require(!probe.Closed(drained), "\"a\" was dirty, and is done and queued again. ShutDownWithDrain has returned, while b is being processed.")
	for _, item := range []string{"c", "a"} {
		q.Expect(t, item)
		q.Done(item)
	}
	t.Wait()
	t.Require(!probe.Closed(drained), "\"a\" was dirty, and has been done twice. ShutDownWithDrain has returned, while b is being processed.")
	q.Done("b")
	t.Wait()
	t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned.")
}

// drainLeftBehind has the end of the work meet two drains. It need not wake both; ShutDown does.
func drainLeftBehind(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Expect(t, "a")
	drains := []<-chan struct{}{q.Drain(t), q.Drain(t)}
	q.Done("a")
	t.Wait()
	q.ShutDown()
	t.Wait()
	for i, drained := range drains {
		t.Require(probe.Closed(drained), "Two drains waited, the last item was done, and then ShutDown was called: ShutDownWithDrain number %d still waits, and ShutDown ends every drain that is under way.", i+1)
	}
}

// calledOffAgain calls ShutDown several times, mostly before the drain that waits can look. It tries that
// with many queues.
func calledOffAgain(t *conform.T, open func() Subject, times int) {
	const rounds = 60
	call := t.Call("ShutDown() %d times, one right after the other, while a drain waits: with %d other queues", times, rounds)
	for range rounds {
		queue := open()
		queue.Add("a")
		_, _ = queue.Get()
		drained := make(chan struct{})
		go func() {
			queue.ShutDownWithDrain()
			close(drained)
		}()
		t.Wait()
		for range times {
			queue.ShutDown()
		}
		t.Wait()
		t.Require(probe.Closed(drained), "A drain waited, and ShutDown was called %d times, one right after the other. ShutDownWithDrain still waits: every drain that was called before a ShutDown returns, however many more of these follow.", times)
		queue.Done("a")
	}
	call.Returned("all drains have returned")
}

// dirtyThenDone is the Len of a queue after the Done of an item that was dirty; stop, if there
// is one, comes between the two.
func dirtyThenDone(t *conform.T, queue Subject, stop func(queues.Client)) int {
	t.Note("the same in another queue")
	q := queues.Calling(t.Actor, queue)
	q.Add("a")
	q.Expect(t, "a")
	q.Add("a")
	if stop != nil {
		stop(q)
	}
	q.Done("a")
	n := q.Len()
	if stop == nil {
		q.ShutDown()
	}
	return n
}

// sentHome requires that a Get by another worker does not wait for those that still work.
func sentHome(t *conform.T, q queues.Client, while string) {
	got := park(t, q, "second worker", 1)
	t.Require(len(got) == 1, "The queue is shut down, nothing is queued and %s, and a Get by a second worker waits: it should return at once and say that the queue is shut down, whatever else the queue waits for.", while)
	g := <-got
	t.Require(g.shutdown, "The queue is shut down and nothing is queued, and Get returned %q as an item to work on.", g.item)
}

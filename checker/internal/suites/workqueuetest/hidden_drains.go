package workqueuetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

// zeroIsStillHeld has a Get say shutdown while a worker holds the zero value. What that Get returned is no
// item, and the one that the worker holds is still being processed.
func zeroIsStillHeld(t *conform.T, q queues.Client) {
	t.Note("another queue")
	for _, item := range []string{"", "a"} {
		q.Add(item)
		q.Expect(t, item)
	}
	got := park(t, q, "third worker", 1)
	allWait(t, got)
	drained := q.Drain(t)
	t.Require(len(got) == 1, "The queue was shut down by ShutDownWithDrain, and a goroutine that waits in Get did not go on at that moment.")
	g := <-got
	t.Require(g == taken{"", true}, "The queue is shut down and nothing is queued, and Get returned %v in place of the zero value and true.", g)
	q.Done("a")
	t.Wait()
	t.Require(!probe.Closed(drained), "Workers held \"\" and \"a\", and a third worker's Get returned \"\", true. Then \"a\" was done, and ShutDownWithDrain has returned, while \"\" is being processed. The zero value that says shutdown is no item: such a Get must leave alone what is known of the item \"\".")
	q.Done("")
	t.Wait()
	t.Require(probe.Closed(drained), "Nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned.")
}

// drainOfABusyWorker drains queues whose only worker takes the next item right after each Done, mostly before
// the drain can look. The drain may see one of the moments between, at which nothing is being processed,
// and return. If it does not, the last Done has to wake it. It tries that with many queues.
func drainOfABusyWorker(t *conform.T, open func() Subject) {
	const rounds = 60
	call := t.Call("Done() and at once Get(), of the next of 2 items, twice, while a drain waits; then the last Done(): with %d other queues", rounds)
	for range rounds {
		queue := open()
		queue.Add("a")
		queue.Add("b")
		held, _ := queue.Get()
		queue.Add("a")
		drained := make(chan struct{})
		go func() {
			queue.ShutDownWithDrain()
			close(drained)
		}()
		t.Wait()
		for range 2 {
			queue.Done(held)
			held, _ = queue.Get()
		}
		t.Wait()
		queue.Done(held)
		t.Wait()
		t.Require(probe.Closed(drained), "A drain waited while one worker took the next item right after each Done. Now the last item is done, nothing is queued and nothing is being processed, and ShutDownWithDrain has not returned. A drain that was woken and found the worker busy again waits on, and the last Done has to wake it once more.")
	}
	call.Returned("all drains have returned")
}

// drainsOfOthers drains three queues at once. What becomes of one is nothing to the others.
func drainsOfOthers(t *conform.T, open func() Subject) {
	t.Note("three other queues, which share nothing")
	first, second, third := queues.Calling(t.Actor, open()), queues.Calling(t.Actor, open()), queues.Calling(t.Actor, open())
	for _, q := range []queues.Client{first, second, third} {
		q.Add("a")
		q.Expect(t, "a")
	}
	second.Add("b")
	second.Expect(t, "b")
	drains := []<-chan struct{}{first.Drain(t), second.Drain(t), third.Drain(t)}
	stand := func(what string, want ...bool) {
		t.Wait()
		for i, drained := range drains {
			got := probe.Closed(drained)
			t.Require(got || !want[i], "Three queues drain at once. %s, and its ShutDownWithDrain has not returned. A queue is woken for itself, whatever other queues wait for.", what)
			t.Require(!got || want[i], "Three queues drain at once. %s, and ShutDownWithDrain of another queue has returned, while an item is being processed there. What ends the drain of one queue ends no other queue's.", what)
		}
	}
	third.ShutDown()
	stand("ShutDown of one was called", false, false, true)
	second.Done("a")
	stand("ShutDown of one was called, and one of two items of a second is done", false, false, true)
	second.Done("b")
	stand("Nothing is queued and nothing is being processed in one of them", false, true, true)
	first.Done("a")
	stand("Nothing is queued and nothing is being processed in the last of them", true, true, true)
	third.Done("a")
}

// drainAfterAnAbort begins a drain right after a ShutDown, before the drain that the ShutDown has ended can
// look. The new one may return at once or wait; if it waits, the end of the work ends it. The old one may
// wait on, and be the one that is woken.
func drainAfterAnAbort(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Expect(t, "a")
	older, newer := q.Drain(t), make(chan struct{})
	t.Go("second drainer", func(a *conform.Actor) {
		q.As(a).ShutDown()
		q.As(a).ShutDownWithDrain()
		close(newer)
	})
	t.Wait()
	ended := probe.Closed(older)
	q.Done("a")
	t.Wait()
	t.Require(probe.Closed(newer) || !ended && probe.Closed(older), "A drain waited, and ShutDown ended it. Right after that ShutDown, ShutDownWithDrain was called again. Now nothing is queued and nothing is being processed, and the second drain has not returned. Does a drain that returns take away a mark that the next one needs?")
	q.ShutDown()
	t.Wait()
	t.Require(probe.Closed(older) && probe.Closed(newer), "ShutDown was called, and ShutDownWithDrain still waits: ShutDown ends every drain that is under way.")
}

// abortLeavesNobody has ShutDown end a drain whose item is never done: nothing waits for that Done any
// longer.
func abortLeavesNobody(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Expect(t, "a")
	drained := q.Drain(t)
	q.ShutDown()
	t.Wait()
	t.Require(probe.Closed(drained), "ShutDown was called, and a drain that was called before still waits.")
	left := t.Waiting()
	t.Require(left == 0, "A drain waited for an item, and ShutDown ended it. Both have returned, the item is still being processed, and goroutines that the queue had started still wait: %d.", left)
	q.Done("a")
}

package workqueuetest

import (
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

// Between the look of a Get at the queue and its wait there is a moment at which a wake-up can
// get lost. The functions below come to it by trying often, with many queues side by side.
const sideBySide = 128

// atOnce calls a method with each of the items, as fast as it can.
func atOnce(q queues.Client, call func(string), name string, all []string) {
	q.Do(func() {
		for _, item := range all {
			call(item)
		}
	}, "%s(%q), one right after the other", name, all)
}

// requeued has Done queue the given items again, one right after the other, while two goroutines
// wait in Get. Those that go on call Done.
func requeued(t *conform.T, queue Subject, held []string) {
	q := queues.Calling(t.Actor, queue)
	for _, item := range held {
		q.Add(item)
		q.Expect(t, item)
		q.Add(item)
	}
	got := park(t, q, "worker", 2)
	atOnce(q, queue.Done, "Done", held)
	t.Wait()
	returned(t, q, got, len(held), "queued again by Done while 2 goroutines waited in Get")
	for _, g := range cameBack(t, got) {
		t.Require(slices.Contains(held, g.item), "Only %q were added, and Get returned %v.", held, g)
		q.Done(g.item)
	}
}

// requeuedInARow has an item become dirty each time that it is processed, while a goroutine waits in
// Get. Each Done wakes it, as the first one does.
func requeuedInARow(t *conform.T, q queues.Client) {
	t.Note("another queue")
	q.Add("a")
	q.Expect(t, "a")
	for range 3 {
		got := park(t, q, "next worker", 1)
		q.Add("a")
		q.Done("a")
		t.Wait()
		returned(t, q, got, 1, "queued again by Done while a goroutine waited in Get, as after each time that \"a\" was processed")
		came := cameBack(t, got)
		t.Require(came[0].item == "a", "Only \"a\" was added, and Get returned %v.", came[0])
	}
	q.Done("a")
	q.ShutDown()
}

// takenFromTheWoken has a goroutine add an item and take it as well, mostly before the one that it
// has woken in Get comes to it. One of them gets the item, and the other waits on: Done, which queues
// the item again, must wake it.
func takenFromTheWoken(t *conform.T, open func() Subject) {
	call := t.Call("Add and Get by one goroutine while another waits in Get; Add and Done: %d queues", sideBySide)
	all := make([]visit, sideBySide)
	for i := range all {
		v := visit{open(), make(chan taken, 2)}
		all[i] = v
		get := func() {
			item, shutdown := v.queue.Get()
			v.got <- taken{item, shutdown}
		}
		go get()
		t.Wait()
		go func() {
			v.queue.Add("a")
			get()
		}()
	}
	t.Wait()
	for _, v := range all {
		came := cameBack(t, v.got)
		t.Require(len(came) == 1, "One item was added while a goroutine waited in Get and another came to it. It lets one of them go on, and %d did (%s).", len(came), listed(came))
		t.Require(came[0].item == "a", "Only \"a\" was added, and Get returned %v.", came[0])
		v.queue.Add("a")
		v.queue.Done("a")
	}
	t.Wait()
	for _, v := range all {
		came := cameBack(t, v.got)
		t.Require(len(came) == 1, "A goroutine waited in Get; another one added an item and called Get. One of the two got it, and the other waits. Then the item was added again and done: Done has queued it, Len is %d, and the goroutine in Get was not woken.", v.queue.Len())
		v.queue.Done("a")
		v.queue.ShutDown()
	}
	call.Returned("all of them have returned")
}

// veryMany is how many goroutines wait where their number matters: a counter of 8 bits is 0 then.
const veryMany = 256

// parkVeryMany has so many goroutines wait in Get that their calls are not worth a line each.
func parkVeryMany(t *conform.T, queue Subject) <-chan taken {
	t.Note("another queue, in whose Get %d goroutines wait", veryMany)
	got := make(chan taken, veryMany)
	for range veryMany {
		go func() {
			item, shutdown := queue.Get()
			got <- taken{item, shutdown}
		}()
	}
	t.Wait()
	came := cameBack(t, got)
	t.Require(len(came) == 0, "Nothing is queued, and %d of %d goroutines came back from Get. While nothing is queued Get waits, however many goroutines there are.", len(came), veryMany)
	return got
}

// oneOfVeryMany adds items to a queue in which very many wait. Each lets one go on.
func oneOfVeryMany(t *conform.T, queue Subject) {
	q := queues.Calling(t.Actor, queue)
	got := parkVeryMany(t, queue)
	for _, item := range []string{"a", "b"} {
		q.Add(item)
		t.Wait()
		came := cameBack(t, got)
		t.Require(len(came) == 1, "%q was added while very many goroutines waited in Get, and %d of them went on. An item lets one go on.", item, len(came))
		t.Require(came[0].item == item, "Only %q was queued, and Get returned %v.", item, came[0])
		q.Done(item)
	}
	q.ShutDown()
}

// veryManyEnd shuts a queue down in which very many wait: all go on.
func veryManyEnd(t *conform.T, queue Subject, stop func(queues.Client)) {
	got := parkVeryMany(t, queue)
	stop(queues.Calling(t.Actor, queue))
	t.Wait()
	n := len(got)
	t.Require(n == veryMany, "The queue was shut down while %d goroutines waited in Get, and not all of them returned. Still in Get: %d.", veryMany, veryMany-n)
	for range n {
		g := <-got
		t.Require(g == taken{"", true}, "The queue is shut down and empty, and Get returned %v in place of the zero value and true.", g)
	}
}

// nilForAWaiter adds nil to a queue for values of any type, while a goroutine waits in its Get.
func nilForAWaiter(t *conform.T, open func() Subject) {
	parent := open()
	parent.ShutDown()
	queue := parent.OfAny()
	t.Note("a queue for values of any type")
	got := make(chan bool, 1)
	t.Go("worker", func(a *conform.Actor) {
		item, shutdown := conform.Do2(a, queue.Get, "Get()")
		got <- item == nil && !shutdown
	})
	t.Wait()
	t.Require(len(got) == 0, "Nothing was added to a queue for values of any type, and Get has returned. While nothing is queued Get waits.")
	t.Do(func() { queue.Add(nil) }, "Add(nil)")
	t.Wait()
	t.Require(len(got) == 1, "nil was added to a queue for values of any type while a goroutine waited in Get, and it still waits. nil is a value like any other.")
	t.Require(<-got, "nil was added to a queue for values of any type while a goroutine waited in Get: it should have returned nil and false.")
	queue.Done(nil)
	queue.ShutDown()
}

// visit is a queue, what goroutines do that come to its Get, and what they got.
type visit struct {
	queue Subject
	got   chan taken
}

// visits opens many queues. With each, some goroutines call Get, and what is given is done meanwhile:
// some of them have come to the Get by then, and others not. It returns when all are at rest.
func visits(t *conform.T, open func() Subject, getters int, meanwhile func(Subject)) []visit {
	all := make([]visit, sideBySide)
	for i := range all {
		v := visit{open(), make(chan taken, getters)}
		all[i] = v
		go func() {
			for range getters {
				go func() {
					item, shutdown := v.queue.Get()
					v.got <- taken{item, shutdown}
				}()
			}
			for range rand.IntN(4) {
				runtime.Gosched()
			}
			meanwhile(v.queue)
		}()
	}
	t.Wait()
	return all
}

// comeToGet adds one item for each goroutine that comes to Get meanwhile.
func comeToGet(t *conform.T, open func() Subject) {
	const rounds, getters = 12, 6
	startsSmall(t, open, "for values of type string")
	call := t.Call("Add of %d items, one right after the other, while %d goroutines come to Get: with %d other queues", getters, getters, rounds*sideBySide)
	for range rounds {
		addAll := func(queue Subject) {
			for i := range getters {
				queue.Add(string(rune('a' + i)))
			}
		}
		for _, v := range visits(t, open, getters, addAll) {
			if n := len(v.got); n < getters {
				t.Fatalf("%d items were added while %d goroutines came to Get, which is one for each. Only %d have returned, and Len is %d. In most of many queues all of them do: this is about a moment at which a wake-up can get lost.", getters, getters, n, v.queue.Len())
			}
			for _, g := range cameBack(t, v.got) {
				v.queue.Done(g.item)
			}
			v.queue.ShutDown()
		}
	}
	call.Returned("all of them have returned")
}

// ends are the ways to shut a queue down in comeToTheEnd.
var ends = []func(Subject){
	Subject.ShutDown,
	func(q Subject) {
		go q.ShutDown()
		q.ShutDown()
	},
	Subject.ShutDownWithDrain,
}

// comeToTheEnd adds an item and shuts the queue down, while goroutines come to Get. One gets the
// item, and the others hear of the end.
func comeToTheEnd(t *conform.T, open func() Subject) {
	const rounds, getters = 42, 3
	startsSmall(t, open, "for values of type string")
	call := t.Call("Add(\"a\") and then ShutDown(), or two of it at once, or ShutDownWithDrain(), while %d goroutines come to Get: with %d other queues", getters, rounds*sideBySide)
	for round := range rounds {
		end := func(queue Subject) {
			queue.Add("a")
			ends[round%len(ends)](queue)
		}
		for _, v := range visits(t, open, getters, end) {
			n := len(v.got)
			t.Require(n == getters, "The queue was shut down while %d goroutines came to Get, and not all of them returned. Still in Get: %d. In most of many queues none does: this is about a moment at which a wake-up can get lost.", getters, getters-n)
			handed := 0
			for range getters {
				if g := <-v.got; !g.shutdown {
					t.Require(g.item == "a", "Only \"a\" was added before the queue was shut down, and Get returned %v.", g)
					handed++
					v.queue.Done(g.item)
				}
			}
			t.Require(handed == 1, "\"a\" was added before the queue was shut down, while %d goroutines came to Get. It was handed out %d times: one of them should have got it.", getters, handed)
			v.queue.ShutDown()
		}
	}
	call.Returned("all of them have returned")
}

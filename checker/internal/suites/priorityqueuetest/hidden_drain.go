package priorityqueuetest

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// drainIsShutDown ends a queue with ShutDownWithDrain. No key is locked, so nothing is waited for.
func drainIsShutDown(t *conform.T, s Subject) {
	l := fake.Always[string](0)
	q := limited(t, s, l)
	q.Add("a")
	got := q.parked(t, "worker")
	<-got
	q.Done("a")
	got = q.parked(t, "worker")
	q.AddAfter("waits", time.Hour)
	q.ShutDownWithDrain()
	if !q.ShuttingDown() {
		t.Wait()
		t.Fatalf("ShutDownWithDrain returned, and ShuttingDown was false. When everything was at rest, ShuttingDown was %t.", q.ShuttingDown())
	}
	k, some := <-got
	t.Require(!some, "ShutDownWithDrain made Get hand out %v, whose time had not come.", k)
	q.Add("too late")
	countsNothing(t, q, l)
	t.Wait()
	for range 2 { // the key that was in the queue may still come
		k, shutdown := q.get()
		t.Require(shutdown || k.Item != "too late", "A key that was added after ShutDownWithDrain was handed out.")
		if shutdown {
			return
		}
	}
	t.Fatalf("The queue held one key when it was shut down by ShutDownWithDrain, and Get has handed out two since.")
}

// endsAtOnce shuts queues down and at once calls what has to find them shut down.
func endsAtOnce(t *conform.T, s Subject) {
	for _, end := range []struct {
		name string
		call func(kit.PriorityQueue[string])
	}{{"ShutDown", kit.PriorityQueue[string].ShutDown}, {"ShutDownWithDrain", kit.PriorityQueue[string].ShutDownWithDrain}} {
		const rounds = 20
		call := t.Call("New, %s, ShuttingDown, AddRateLimited(too late), Add(too late) and Get, %d times", end.name, rounds)
		for range rounds {
			l := fake.Always[string](0)
			q := s.New(l)
			end.call(q)
			down := q.ShuttingDown()
			q.AddRateLimited("too late")
			q.Add("too late")
			t.Require(down, "%s has returned, and ShuttingDown is false.", end.name)
			item, shutdown := q.Get()
			t.Require(shutdown, "%s has returned, %q was added after that, and Get handed out %q: a queue that is shut down ignores adds.", end.name, "too late", item)
			t.Require(l.Asked() == 0, "%s has returned, and an add after that asked the limiter, which counts that as a failure.", end.name)
		}
		call.Returned("")
	}
}

// letGo requires that workers which waited in Get when end was called have returned without a key.
func letGo(t *conform.T, got []<-chan key, end string) {
	t.Wait()
	for _, g := range got {
		select {
		case k, some := <-g:
			t.Require(k.Item != "too late", "%s has returned, and a key that was added then was handed out.", end)
			t.Require(!some, "%s made Get hand out %v, which was locked or waiting.", end, k)
		default:
			t.Fatalf("%s was called while %d workers waited in Get, and a worker still waits. Calls that block while it is called return, also if a key is locked or waits.", end, len(got))
		}
	}
}

// manyLeave shuts a queue down while a hundred workers wait in Get.
func manyLeave(t *conform.T, s Subject, name string, end func(kit.PriorityQueue[string])) {
	const workers = 100
	q, left := s.New(fake.Always[string](0)), new(atomic.Int32)
	call := t.Call("New, and Get by %d workers", workers)
	for range workers {
		t.Go("worker", func(*conform.Actor) { q.Get(); left.Add(1) })
	}
	t.Wait()
	call.Returned("")
	t.Do(func() { end(q) }, "%s()", name)
	pass(t, aMoment)
	t.Require(left.Load() == workers, "%s was called while %d workers waited in Get, and %d of them have returned.", name, workers, left.Load())
}

// countsNothing adds to a queue that is shut down whatever the limiter would count.
func countsNothing(t *conform.T, q client, l *fake.Limiter[string]) {
	q.AddRateLimited("too late")
	q.AddWithOpts(kit.AddOpts{RateLimited: true, After: time.Second}, "too late")
	t.Require(l.Asked() == 0, "An add after ShutDown asked the limiter, which counts that as a failure.")
}

// stillCalled calls what may be called after ShutDown, and has to return.
func stillCalled(t *conform.T, q client) {
	q.Add("held")
	q.take(t)
	q.AddRateLimited("a")
	t.Wait()
	q.ShutDown()
	t.Wait()
	q.Len()
	q.Done("held")
	q.Done("held") // does nothing
	q.Done("never seen")
	q.Len()
	counts(t, q, "a", 1, "it was added rate limited once, and was not forgotten")
}

// shutDownAsItComes shuts queues down at the moment at which the time of a key comes.
func shutDownAsItComes(t *conform.T, s Subject) {
	const rounds = 200
	call := t.Call("New, AddAfter(a, 1ns) and ShutDown, %d times", rounds)
	for range rounds {
		q := s.New(fake.Always[string](0))
		q.AddAfter("a", time.Nanosecond)
		q.ShutDown()
	}
	call.Returned("")
}

// drainLetsGetGo ends a queue with ShutDownWithDrain while a key is locked, which the call may wait
// for: it is ShutDown all the same, from its beginning on. If again is true, that key is ready, too.
func drainLetsGetGo(t *conform.T, q client, again bool) {
	q.Add("held")
	q.take(t)
	if again {
		q.Add("held")
	}
	got := q.parked(t, "worker")
	t.Go("stopper", func(a *conform.Actor) { q.as(a).ShutDownWithDrain() })
	t.Wait()
	select {
	case k, some := <-got:
		t.Require(!some, "ShutDownWithDrain made Get hand out %v, which a worker holds.", k)
	default:
		t.Fatalf("ShutDownWithDrain was called while a worker held a key, and a Get that waited then has not returned: it waits for that worker.")
	}
	t.Require(q.ShuttingDown(), "ShutDownWithDrain was called while a worker held a key, and ShuttingDown is false.")
	q.Add("too late")
	q.Done("held")
	for range 2 { // the key may come once more, if it was added again
		k, shutdown := q.get()
		if shutdown {
			break
		}
		t.Require(again && k.Item == "held", "ShutDownWithDrain was called while a worker held a key. Then “too late” was added, and Get handed out %v: that add should have no effect.", k)
		q.Done(k.Item)
	}
	t.Join()
}

// drainBesideDone ends a queue with ShutDownWithDrain while workers are about to be done.
func drainBesideDone(t *conform.T, q client) {
	held := names("held", 6)
	q.add(held...)
	for range held {
		q.take(t)
	}
	for w := range 3 {
		pauses := t.Rand().IntN(20)
		t.Go(fmt.Sprint("worker ", w), func(a *conform.Actor) {
			for range pauses {
				runtime.Gosched()
			}
			q.as(a).Done(held[2*w])
			q.as(a).Done(held[2*w+1])
		})
	}
	t.Go("stopper", func(a *conform.Actor) { q.as(a).ShutDownWithDrain() })
	t.Join()
	_, shutdown := q.get()
	t.Require(shutdown, "ShutDownWithDrain has returned, nothing was queued, and Get handed out a key.")
}

// noAddAfterTheEnd adds keys that the queue knows, one of them held by a worker, after ShutDown.
func noAddAfterTheEnd(t *conform.T, q client) {
	q.Add("held")
	q.take(t)
	q.Add("queued")
	q.ShutDown()
	q.Add("held")
	q.at(7, "queued")
	t.Wait()
	q.Done("held")
	for range 2 { // the key that was in the queue may still come
		k, shutdown := q.get()
		if shutdown {
			return
		}
		t.Require(k == key{"queued", 0}, "After ShutDown, “held”, which a worker held, was added, and “queued” with a higher priority. Get handed out %v: those adds should have no effect.", k)
	}
	t.Fatalf("The queue held one key when it was shut down, and Get has handed out two since.")
}

// shutDownBehindAnAdd shuts a queue down before the getter that an add has woken can run.
func shutDownBehindAnAdd(t *conform.T, q client) {
	var got []<-chan key
	for i := range 3 {
		got = append(got, q.parked(t, fmt.Sprint("worker ", i)))
	}
	q.Add("a")
	q.ShutDown()
	n := 0
	for _, g := range got {
		if k, some := <-g; some {
			t.Require(k.Item == "a", "Get handed out %v, and the only key was “a”.", k)
			n++
		}
	}
	t.Require(n <= 1, "One key was added, and Get handed it out %d times.", n)
}

// besideTheEnd makes each call beside the end of a queue. Nothing but the queue orders the two.
func besideTheEnd(t *conform.T, s Subject) {
	type queue = kit.PriorityQueue[string]
	for _, end := range []func(queue){queue.ShutDown, queue.ShutDownWithDrain} {
		for name, call := range map[string]func(queue){
			"Add":            func(q queue) { q.Add("a") },
			"AddAfter":       func(q queue) { q.AddAfter("a", time.Nanosecond) },
			"AddRateLimited": func(q queue) { q.AddRateLimited("a") },
			"AddWithOpts":    func(q queue) { q.AddWithOpts(kit.AddOpts{}, "a", "b") },
			"Get":            func(q queue) { q.Get() },
			"Done":           func(q queue) { q.Done("a") },
			"ShuttingDown":   func(q queue) { q.ShuttingDown() },
			"Len":            func(q queue) { q.Len() },
		} {
			q, meet := s.New(fake.Always[string](0)), probe.Barrier(2)
			t.Go(name, func(*conform.Actor) { meet(); call(q) })
			meet()
			end(q)
		}
	}
	t.Join()
}

// endsAsItComes shuts queues down at the moment at which the time of a key comes, and calls what
// may still be called.
func endsAsItComes(t *conform.T, s Subject) {
	for round := range 20 {
		q, at := start(t, s), time.Now().Add(time.Second)
		q.Add("held")
		q.take(t)
		if round%2 == 0 {
			q.AddAfter("a", time.Second)
		}
		t.Go("stopper", func(a *conform.Actor) { time.Sleep(time.Until(at)); q.as(a).ShutDown() })
		t.Wait()
		if round%2 == 1 {
			q.AddAfter("a", time.Second)
		}
		pass(t, 2*time.Second)
		q.Len()
		q.Done("held")
		for range 2 { // the key may have been ready in time
			q.get()
		}
	}
}

// waitsAtTheEnd shuts a queue down while two keys wait, one of which a worker holds, and then makes
// all calls that would end their waits if the queue were not shut down.
func waitsAtTheEnd(t *conform.T, q client) {
	q.Add("held")
	q.take(t)
	q.after(time.Hour, "held", "waits")
	q.ShutDown()
	dropped := func(happened string) {
		t.Wait()
		k, shutdown := q.get()
		t.Require(shutdown, "“held”, which a worker held, and “waits” were added with a delay of 1h, and ShutDown was called. %s, and Get handed out %v: a key that waits at ShutDown is not handed out before its time.", happened, k)
	}
	dropped("Nothing else has happened")
	q.Done("held")
	dropped("Done was called for “held”")
	q.Add("held")
	q.Add("waits")
	dropped("Both keys were added without delay, which does nothing after ShutDown")
	q.AddAfter("held", time.Second)
	q.AddAfter("waits", time.Second)
	q.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: new(7)}, "held", "waits")
	pass(t, 2*time.Second)
	dropped("Both keys were added with a delay of 1s, which is over, and rate limited, without delay. An add does nothing after ShutDown")
	pass(t, time.Hour)
	for range 2 {
		k, shutdown := q.get()
		t.Require(shutdown || k.Priority == 0, "Get handed out %v, which was added with priority 0 before ShutDown, and with a higher one after it: an add does nothing then.", k)
		if shutdown {
			return
		}
	}
}

// backlogInOrder shuts a queue down in which keys of several priorities are ready. Those that
// still come, if any do, come in their order.
func backlogInOrder(t *conform.T, q client) {
	left := []key{{"c", 3}, {"d", 3}, {"b", 2}, {"a", 1}}
	q.at(1, "a")
	q.at(3, "c", "d")
	q.at(2, "b")
	t.Wait()
	q.ShutDown()
	for range len(left) + 1 {
		k, shutdown := q.get()
		if shutdown {
			return
		}
		i := slices.Index(left, k)
		t.Require(i >= 0, "Four keys were ready at ShutDown, and then Get handed out %v. If keys still come, the highest priority goes first. Those that could still come are %v.", k, left)
		left = left[i+1:]
	}
}

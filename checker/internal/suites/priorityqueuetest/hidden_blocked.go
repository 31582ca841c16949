package priorityqueuetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// A Get that is called once a key is ready sees it, whatever became of the timer. So these have a
// getter blocked before anything happens, and do nothing else that could let it go.

// ringsForTheBlocked requires that a getter which is blocked already gets its key in time, though
// another key was to come first when the timer was set, or the same one later.
func ringsForTheBlocked(t *conform.T, q client) {
	q.AddAfter("gone", 2*time.Second)
	q.AddAfter("b", 10*time.Second)
	q.Add("gone")
	q.comes(t, at(0, "gone"), "it is the only key that is ready")
	blocked(t, q, "b", 10*time.Second, "the key that was to come first has been added without delay, and taken")

	q.AddAfter("gone", 10*time.Second)
	q.Add("gone")
	q.comes(t, at(0, "gone"), "it is the only key that is ready")
	pass(t, 4*time.Second)
	q.AddAfter("c", 6*time.Second)
	blocked(t, q, "c", 6*time.Second, "another key was to come at that very moment, and is gone")

	got, began := q.parked(t, "worker"), t.Elapsed()
	q.AddAfter("d", time.Hour)
	q.AddAfter("d", 1500*time.Microsecond+time.Nanosecond)
	has(t, got, "d")
	queues.Came(t, "d", t.Elapsed()-began, 1500*time.Microsecond+time.Nanosecond, "")
	q.Done("d")

	q.AddAfter("e", 31*24*time.Hour)
	blocked(t, q, "e", 31*24*time.Hour, "it is the only key")
	q.ShutDown()
}

// ringsBesideWork requires the same of a key whose time was set while another key was ready and a
// worker was busy, and of one whose time is very short.
func ringsBesideWork(t *conform.T, q client) {
	q.add("held", "ready")
	q.take(t)
	q.AddAfter("a", time.Second)
	q.take(t)
	blocked(t, q, "a", time.Second, "it was added while one key was ready and a worker held another, and both are handed out now")
	q.Done("held")
	q.Done("ready")

	q.AddAfter("b", time.Nanosecond)
	blocked(t, q, "b", time.Nanosecond, "it is the only key")
	q.ShutDown()
}

// blocked lets a getter wait for item, which is to come so much later.
func blocked(t *conform.T, q client, item string, after time.Duration, why string) {
	began := t.Elapsed()
	got := q.parked(t, "worker")
	select {
	case k := <-got:
		t.Require(k.Item == item, "Get handed out %q, and the only key to come was %q.", k.Item, item)
	case <-time.After(after + time.Minute):
		t.Fatalf("Get has been called before the time of %q, and has not returned a minute after it: %s.", item, why)
	}
	queues.Came(t, item, t.Elapsed()-began, after, "")
	q.Done(item)
}

// doneTwiceAtOnce unlocks two keys, both added again, before any getter has moved, if it can.
func doneTwiceAtOnce(t *conform.T, q client) {
	for range 20 {
		q.add("a", "b")
		q.take(t)
		q.take(t)
		q.add("a", "b")
		one, two := q.parked(t, "worker"), q.parked(t, "second worker")
		q.Done("a")
		q.Done("b")
		haveGot(t, []string{"a", "b"}, "a and b were added again and are done", one, two)
		q.Done("a")
		q.Done("b")
	}
	q.ShutDown()
}

// doneWhateverItsPriority has a getter wait for a key that a worker holds, and that is added again,
// in every way.
func doneWhateverItsPriority(t *conform.T, q client) {
	for _, priority := range []int{5, -5} {
		for _, delay := range []time.Duration{0, time.Second} {
			q.Add("a")
			q.take(t)
			got, want := q.parked(t, "worker"), key{"a", priority}
			q.AddWithOpts(kit.AddOpts{After: delay, Priority: &priority}, "a")
			pass(t, 2*time.Second)
			waits(t, got, "a worker holds the only key")
			q.Done("a")
			k := <-got
			t.Require(k == want, "Get handed out %v, and the only key to come was %v. It was locked, with priority 0, when it was added with priority %d: a locked key that is added starts afresh, whatever its priority was when it was handed out.", k, want, priority)
			q.Done("a")
		}
	}
	q.ShutDown()
}

// pair is two keys, “a” and “b”, that become ready one right after the other.
type pair struct {
	what   string
	before func(a, b int) // with their priorities
	do     func(a, b int)
}

// besideMoreUrgent has two keys become ready in every way but by a plain add of a new key: each of
// two workers that wait gets one of them.
func besideMoreUrgent(t *conform.T, s Subject) {
	queue := s.New(fake.Always[string](0))
	q := client{queues.CallingPriority(t.Actor, queue)}
	done := func() { queue.Done("a"); queue.Done("b") } // in one step: no worker runs between them
	pairs := []pair{
		{"are done, and were added again while they were locked",
			func(a, b int) { q.add("a", "b"); q.take(t); q.take(t); q.at(a, "a"); q.at(b, "b") },
			func(int, int) { t.Do(done, "Done(a) and Done(b)") }},
		{"were added with a delay of 1s, which is over",
			func(a, b int) { q.waiting(time.Second, a, "a"); q.waiting(time.Second, b, "b") },
			func(int, int) { pass(t, 2*time.Second) }},
		{"were added: “a” is new, and “b” was waiting for an hour and is now ready at once",
			func(_, b int) { q.waiting(time.Hour, b, "b") },
			func(a, b int) { q.at(a, "a"); q.at(b, "b") }},
		{"were added: both were waiting for an hour and are now ready at once",
			func(a, b int) { q.waiting(time.Hour, a, "a"); q.waiting(time.Hour, b, "b") },
			func(int, int) { q.at(-1, "a", "b") }},
	}
	for _, p := range [][]int{{1, 0}, {0, 1}, {0, 0}, {1, 1}} {
		for _, c := range pairs {
			for range 6 {
				c.before(p[0], p[1])
				one, two := q.parked(t, "worker"), q.parked(t, "second worker")
				c.do(p[0], p[1])
				happened := fmt.Sprintf("“a” with priority %d and “b” with priority %d %s. Each of them wakes a worker, whatever the priority of the other", p[0], p[1], c.what)
				haveGot(t, []string{"a", "b"}, happened, one, two)
				done()
			}
		}
	}
	q.ShutDown()
}

// waiting adds a key with a delay and a priority.
func (c client) waiting(d time.Duration, priority int, item string) {
	c.AddWithOpts(kit.AddOpts{After: d, Priority: &priority}, item)
}

// takenFromUnderIt wakes a getter whose key another one takes first. A key that is locked and one
// that waits are in the queue meanwhile, and change nothing.
func takenFromUnderIt(t *conform.T, q client) {
	q.Add("held")
	q.take(t)
	q.at(1, "held") // more urgent than those that come, and no obstacle to them
	q.AddAfter("later", time.Hour)
	for range 10 {
		one := q.parked(t, "worker")
		q.Add("a")
		two := q.parked(t, "second worker")
		waiting := one
		if len(one) == 1 {
			waiting = two
		}
		waits(t, waiting, "the only key has been handed out")
		q.Add("b")
		pass(t, aMoment)
		t.Require(len(waiting) == 1, "A worker waits in Get, “b” was added, and the worker does not get it. Another key is locked meanwhile, and one more waits for its time.")
		haveGot(t, []string{"a", "b"}, "a and b were added", one, two)
		q.Done("a")
		q.Done("b")
	}
	q.ShutDown()
}

// atThatMoment has other calls come in at the moment at which keys become ready: each of them
// may be the one that sees it first, and the getters that wait get the keys all the same.
func atThatMoment(t *conform.T, q client) {
	for round := range 20 {
		keys := names(fmt.Sprint("round-", round), 3)
		var got []<-chan key
		for i := range 2 {
			got = append(got, q.parked(t, fmt.Sprint("worker ", i)))
		}
		late := make(chan key, 1)
		t.Go("third worker", func(a *conform.Actor) {
			time.Sleep(time.Second)
			if k, shutdown := q.as(a).get(); !shutdown {
				late <- k
			}
			close(late)
		})
		for range 3 {
			t.Go("metrics", func(a *conform.Actor) { time.Sleep(time.Second); q.as(a).Len() })
		}
		lent := slices.Clone(keys)
		q.after(time.Second, lent...)
		haveGot(t, keys, fmt.Sprintf("The time of %v came while two workers waited and a third called Get", keys), append(got, late)...)
		t.Require(slices.Equal(lent, keys), "AddWithOpts was called with a slice of the keys %q, and the caller finds %q in it now: the queue does not change it.", keys, lent)
		for _, k := range keys {
			q.Done(k)
		}
	}
	q.ShutDown()
}

// seenByAnother has one more call come in at the moment at which the time of a key comes. If it is
// that call which sees it first, the getter that waits for the key gets it all the same.
func seenByAnother(t *conform.T, q client) {
	for _, c := range []struct {
		name string
		do   func(q client)
		come []string
	}{
		{"Add(b)", func(q client) { q.Add("b") }, []string{"a", "b"}},
		{"AddAfter(later, 1h)", func(q client) { q.AddAfter("later", time.Hour) }, []string{"a"}},
		{"Done(held), which was not added again,", func(q client) { q.Done("held") }, []string{"a"}},
	} {
		for round := range 10 {
			q.Add("held")
			q.take(t)
			var got []<-chan key
			for range c.come {
				got = append(got, q.parked(t, "worker"))
			}
			at := time.Now().Add(time.Second)
			if round%2 == 0 {
				q.AddAfter("a", time.Second)
			}
			t.Go("caller", func(a *conform.Actor) { time.Sleep(time.Until(at)); c.do(q.as(a)) })
			t.Wait()
			if round%2 == 1 {
				q.AddAfter("a", time.Second)
			}
			haveGot(t, c.come, "AddAfter(a, 1s) was called, and "+c.name+" a second later", got...)
			for _, k := range append(c.come, "held") {
				q.Done(k)
			}
		}
	}
	q.ShutDown()
}

// doneAtThatMoment has workers end with keys at the moment at which these become ready again.
func doneAtThatMoment(t *conform.T, q client) {
	for round := range 10 {
		keys := names(fmt.Sprint("round-", round), 3)
		q.add(keys...)
		for range keys {
			held := q.take(t).Item
			t.Go("worker", func(a *conform.Actor) { time.Sleep(time.Second); q.as(a).Done(held) })
		}
		q.after(time.Second, keys...)
		pass(t, 2*time.Second)
		q.Holds(t, len(keys), "each key was added once with a delay, which is over, and is done")
		var all []string
		for range keys {
			all = append(all, q.take(t).Item)
		}
		slices.Sort(all)
		t.Require(slices.Equal(all, keys), "Each of %v was added once and is done, and Get handed out %v.", keys, all)
		for _, k := range keys {
			q.Done(k)
		}
		q.Holds(t, 0, "each key has come, and is done")
	}
	q.ShutDown()
}

// sharingAMoment has keys whose time is the same, of which an add makes some ready early.
func sharingAMoment(t *conform.T, q client) {
	q.after(5*time.Second, "a", "b", "c", "d")
	for _, early := range []string{"c", "a"} {
		q.Add(early)
		q.comes(t, at(0, early), "the others wait")
	}
	pass(t, 6*time.Second)
	q.Holds(t, 2, "two of four keys that had one time came early, and the time of the others has come")
	q.once(t, []string{"b", "d"})
	q.Holds(t, 0, "each of four keys has come, and is done")
	q.ShutDown()
}

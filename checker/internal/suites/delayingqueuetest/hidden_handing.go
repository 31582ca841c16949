package delayingqueuetest

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// nothingIsDropped delays more items than most channels have room for, while the queue
// underneath is slow: AddAfter may block meanwhile, and every item comes in the end, at its
// moment or, if that has passed by then, when the queue is quick again.
func nothingIsDropped(t *conform.T, s Subject) {
	const producers, each, delay = 40, 60, 50 * time.Second
	w := start(t, s)
	release := w.stall()
	var called, returned [producers][each]time.Duration
	var done atomic.Int32
	for p := range producers {
		t.Go("producer", func(*conform.Actor) {
			for i := range each {
				called[p][i] = t.Elapsed()
				w.queue.AddAfter(string(rune(1000*(p+1)+i)), delay)
				returned[p][i] = t.Elapsed()
			}
			done.Add(1)
		})
	}
	t.Note("%d producers call AddAfter(…, 50s) for %d items each, while the queue underneath is slow", producers, each)
	time.Sleep(99 * time.Second) // they are done, or wait for room
	released := t.Elapsed()
	release()
	time.Sleep(time.Hour)
	t.Wait()
	t.Require(done.Load() == producers, "%d producers called AddAfter(…, 50s) for %d items each, while the queue underneath was slow until %v. An hour later %d of them still block in AddAfter: it may block for as long as that queue is slow to add, and not longer.", producers, each, released, producers-done.Load())
	t.Join()
	added := slices.DeleteFunc(w.under.Added(), func(a queues.Addition) bool { return a.Item == "slow" })
	t.Require(len(added) == producers*each, "AddAfter was called for %d items while the queue underneath was slow, and %d of them were added when their moment had come.", producers*each, len(added))
	for _, a := range added {
		r := int([]rune(a.Item)[0])
		began, end := called[r/1000-1][r%1000], returned[r/1000-1][r%1000]
		t.Require(end <= released, "AddAfter(…, %v) was called at %v, while the queue underneath was slow until %v, and returned at %v: it may block for as long as that queue is slow to add, and not longer.", delay, began, released, end)
		want := max(began+delay, released)
		t.Require(a.At >= released, "Add of the queue underneath was slow with an item until %v, and another item was added at %v, before that Add had returned: items are added one after the other.", released, a.At)
		t.Require(a.At >= want, "AddAfter(…, %v) was called at %v, while the queue underneath was slow until %v, and the item was added at %v, too early: its moment, counted from the call, was %v.", delay, began, released, a.At, began+delay)
		t.Require(a.At == want, "AddAfter(…, %v) was called at %v, while the queue underneath was slow until %v, and the item was added at %v instead of %v. AddAfter may block meanwhile, and the moment is counted from the call all the same.", delay, began, released, a.At, want)
	}
	w.ShutDown()
}

// nothingIsLostBesideADirectAdd has the moments of items pass while the queue underneath is slow with another. Two
// more wait, and one that is overdue, and are added directly meanwhile.
func nothingIsLostBesideADirectAdd(t *conform.T, s Subject) {
	w := start(t, s)
	began := t.Elapsed()
	w.AddAfter("overdue", 2*time.Second)
	w.AddAfter("overdue, added directly", 3*time.Second)
	w.AddAfter("waits", time.Hour)
	w.AddAfter("waits, too", time.Hour)
	release := w.stall()
	time.Sleep(3 * time.Second)
	for _, direct := range []func(q queues.DelayingClient){
		func(q queues.DelayingClient) { q.AddAfter("waits", 0) },
		func(q queues.DelayingClient) { q.Add("waits, too") },
		func(q queues.DelayingClient) { q.AddAfter("overdue, added directly", 0) },
	} {
		t.Go("handler", func(a *conform.Actor) { direct(w.As(a)) }) // may block
		time.Sleep(time.Second)
	}
	released := t.Elapsed()
	release()
	t.Join()
	time.Sleep(time.Minute)
	times := w.added("overdue")
	t.Require(len(times) == 1 && times[0] >= released, "\"overdue\" was waiting until %v, and the queue underneath was slow with another item until %v. Meanwhile Add, and AddAfter with no delay, were called for three items that waited beside it. It was %s, and should have been added once, when the slow Add had returned: a direct Add takes no other item out, and an item whose moment has passed meanwhile is added without further delay.", began+2*time.Second, released, came(times, ""))
	w.ShutDown()
}

// quickAgain has an item wait whose moment comes soon after a slow Add of another has returned, and one more for long. Nobody
// calls AddAfter meanwhile.
func quickAgain(t *conform.T, w *world) {
	began := t.Elapsed()
	w.AddAfter("next", 20*time.Second)
	w.AddAfter("last", time.Hour)
	release := w.stall()
	time.Sleep(12 * time.Second) // client-go's heartbeat, of ten seconds, has ticked meanwhile
	released := t.Elapsed()
	release()
	time.Sleep(2 * time.Hour)
	for item, want := range map[string]time.Duration{"next": began + 20*time.Second, "last": began + time.Hour} {
		times := w.added(item)
		t.Require(slices.Equal(times, []time.Duration{want}), "The queue underneath was slow with another item until %v, and quick from then on. The moment of %q was %v, after that, and it was %s: it should have been added at its moment, however long the Add before it took.", released, item, want, came(times, ""))
	}
	w.ShutDown()
}

// waitsOnceFromThenOn delays an item twice while the queue underneath is slow. The first moment is overdue
// when it is quick again. Whether the second counts then is left open, but not what an earlier one does.
func waitsOnceFromThenOn(t *conform.T, s Subject) {
	w := start(t, s)
	release := w.stall()
	t.Go("producer", func(a *conform.Actor) {
		w.As(a).AddAfter("a", time.Second)
		w.As(a).AddAfter("a", 10*time.Hour)
	})
	time.Sleep(4 * time.Second)
	release()
	time.Sleep(time.Minute)
	asked := t.Elapsed()
	w.AddAfter("a", 5*time.Hour)
	time.Sleep(24 * time.Hour)
	times := w.added("a")
	later := slices.DeleteFunc(slices.Clone(times), func(at time.Duration) bool { return at <= asked })
	want := asked + 5*time.Hour
	t.Require(slices.Equal(later, []time.Duration{want}), "AddAfter(\"a\", 5h) was called at %v, and whether \"a\" was waiting for a later moment by then or not, it should have been added once more, at %v. It was %s: an item waits once, and the earlier of two moments counts.", asked, want, came(times, ""))
	w.ShutDown()
}

// overdueAndDelayed has an item wait, become overdue while the queue underneath is slow with another, and be
// delayed then. Whether that later moment counts too is left open: the earlier one does.
func overdueAndDelayed(t *conform.T, s Subject) {
	w := start(t, s)
	began := t.Elapsed()
	w.AddAfter("a", 5*time.Second)
	release := w.stall()
	time.Sleep(4 * time.Second)
	t.Go("producer", func(a *conform.Actor) { w.As(a).AddAfter("a", time.Hour) }) // may block
	time.Sleep(4 * time.Second)
	released := t.Elapsed()
	release()
	t.Join()
	time.Sleep(time.Minute)
	times := w.added("a")
	t.Require(len(times) == 1 && times[0] >= began+5*time.Second && times[0] <= released, "\"a\" was waiting until %v, and overdue since then, because the queue underneath was slow with another item until %v. Meanwhile AddAfter(\"a\", 1h) was called. A minute after the slow Add has returned \"a\" was %s: it should have been added when that Add returned, for of the two moments the earlier counts in any case.", began+5*time.Second, released, came(times, ""))
	w.ShutDown()
}

// lingering is a queue whose Add takes its time to return. A worker can have the item before.
type lingering struct {
	*queues.Plain
	by time.Duration
}

func (q lingering) Add(item string) {
	q.Plain.Add(item)
	time.Sleep(q.by)
}

// delaysAgain has a worker take "a" and delay it again, while the Add that queued it has not returned
// yet. before says what had happened.
func delaysAgain(t *conform.T, w *world, before string) {
	w.Expect(t, "a")
	due := t.Elapsed() + 5*time.Second
	w.AddAfter("a", 5*time.Second)
	w.Done("a")
	time.Sleep(2 * time.Second) // that Add has returned
	w.AddAfter("a", 10*time.Second)
	time.Sleep(due - t.Elapsed())
	t.Wait()
	again := slices.Contains(w.added("a"), due)
	t.Require(again, "%sA worker took \"a\", and called AddAfter(\"a\", 5s) while Add of the queue underneath was still under way for it. Its moment, %v, has come, and it was added at %s only: once it has been added it can be delayed again.", before, due, moments(w.added("a")))
}

// againBesideADirectAdd has a worker delay an item again while the Add that queued it has not
// returned yet. It was a direct one, of an item that was waiting.
func againBesideADirectAdd(t *conform.T, open func() Subject) {
	for _, direct := range []struct {
		call string
		add  func(q queues.DelayingClient)
	}{
		{`Add("a")`, func(q queues.DelayingClient) { q.Add("a") }},
		{`AddAfter("a", 0s)`, func(q queues.DelayingClient) { q.AddAfter("a", 0) }},
	} {
		w := over(t, open(), func(q *queues.Plain) kit.Queue[string] { return lingering{q, time.Second} })
		w.AddAfter("a", time.Hour)
		t.Wait()
		t.Go("handler", func(a *conform.Actor) { direct.add(w.As(a)) })
		delaysAgain(t, w, fmt.Sprintf("A handler called %s. ", direct.call))
		w.ShutDown()
		t.Join()
	}
}

// overdueBeforeAddReturns has a worker delay an item again while the Add that queued it is slow to return, and
// be done with it then. Its new moment passes before that Add returns.
func overdueBeforeAddReturns(t *conform.T, s Subject) {
	const slow = 10 * time.Second
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] { return lingering{q, slow} })
	began := t.Elapsed()
	w.AddAfter("a", time.Second)
	w.Expect(t, "a")
	t.Go("worker", func(a *conform.Actor) { // may block
		w.As(a).AddAfter("a", 2*time.Second)
	})
	time.Sleep(4 * time.Second)
	w.Done("a")
	time.Sleep(time.Minute)
	due, returned := began+3*time.Second, began+time.Second+slow
	times := w.added("a")[1:]
	t.Require(len(times) == 1 && times[0] >= due && times[0] <= returned, "A worker took \"a\", called AddAfter(\"a\", 2s) while the Add that had queued it was still under way, and was done with \"a\" after its moment, %v. That Add returned at %v, and \"a\" should have been added again by then. It was %s: it can be delayed before Add returns, that delay counts, and an item whose moment has passed meanwhile is added without further delay.", due, returned, came(times, " again"))
	w.ShutDown()
	t.Join()
}

// directlyBeforeAddReturns has a worker ask for an item at once, while the Add that queued it has not returned yet.
func directlyBeforeAddReturns(t *conform.T, open func() Subject) {
	for _, queued := range []struct {
		how string
		by  func(q queues.DelayingClient)
	}{
		{`for an item whose moment had come`, func(q queues.DelayingClient) { q.AddAfter("a", time.Second) }},
		{`for a caller of AddAfter("a", 0s)`, func(q queues.DelayingClient) { q.AddAfter("a", 0) }},
		{`for a caller of Add("a")`, func(q queues.DelayingClient) { q.Add("a") }},
	} {
		for _, direct := range []struct {
			call string
			add  func(q queues.DelayingClient)
		}{
			{`AddAfter("a", 0s)`, func(q queues.DelayingClient) { q.AddAfter("a", 0) }},
			{`AddAfter("a", -1ns)`, func(q queues.DelayingClient) { q.AddAfter("a", -time.Nanosecond) }},
			{`Add("a")`, func(q queues.DelayingClient) { q.Add("a") }},
		} {
			w := over(t, open(), func(q *queues.Plain) kit.Queue[string] { return lingering{q, 10 * time.Second} })
			t.Go("handler", func(a *conform.Actor) { queued.by(w.As(a)) })
			w.Expect(t, "a")
			time.Sleep(time.Second)
			t.Go("worker", func(a *conform.Actor) { // may block
				direct.add(w.As(a))
				n := len(w.added("a"))
				t.Assert(n > 1, "Add of the queue underneath was under way, %s. A worker had \"a\" already, and called %s, and when that returned \"a\" had not been added again. An Add that began before the call does not count: a worker that is done with \"a\" now has lost what it asked for.", queued.how, direct.call)
			})
			t.Join()
			w.Done("a")
			w.ShutDown()
		}
	}
}

// oneOfManyBeforeAddReturns has the moments of items pass while the queue underneath is slow with another. A worker takes
// each of them and delays it again while the Add that queued it has not returned yet.
func oneOfManyBeforeAddReturns(t *conform.T, s Subject) {
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] { return lingering{q, 10 * time.Second} })
	items := []string{"a", "b", "c"}
	due := map[string]time.Duration{}
	w.AddAfter("first", time.Second)
	for i, item := range items {
		w.AddAfter(item, time.Duration(i+2)*time.Second)
	}
	w.Expect(t, "first")
	w.Done("first")
	for _, item := range items {
		w.Expect(t, item)
		time.Sleep(time.Second)
		due[item] = t.Elapsed() + time.Hour
		t.Go("worker", func(a *conform.Actor) { w.As(a).AddAfter(item, time.Hour) }) // may block
		t.Wait()
		w.Done(item)
	}
	time.Sleep(time.Minute) // the last of these Adds has returned
	for _, item := range items {
		w.AddAfter(item, 2*time.Hour) // waits already
	}
	time.Sleep(5 * time.Hour)
	for _, item := range items {
		times := w.added(item)[1:]
		t.Require(len(times) == 1 && times[0] >= due[item] && times[0] <= due[item]+time.Minute, "The moments of \"a\", \"b\" and \"c\" passed while Add of the queue underneath was under way for another item. A worker took each, and called AddAfter(…, 1h) while the Add that had queued it was still under way; when all was quick again, AddAfter(…, 2h) was called for each. The moment of %q was %v, and it was %s: once it has been added it can be delayed again, before Add returns, and it waits once.", item, due[item], came(times, " again"))
	}
	w.ShutDown()
	t.Join()
}

// overdueInOrder has items become due while the queue underneath is slow with the first of
// them. The subject knew of all of them long before. Each Add takes its time, and the earlier an item's
// moment is the longer. So the items come in the order of their moments only if each waits until
// the Add of the one before has returned.
func overdueInOrder(t *conform.T, s Subject) {
	const n = 40
	var busy, overlaps atomic.Int32
	w := over(t, s, func(q *queues.Plain) kit.Queue[string] { return uneven{q, &busy, &overlaps} })
	began := t.Elapsed()
	var want []string
	for i := range n {
		want = append(want, string(rune('A'+i)))
		w.AddAfter(want[i], time.Duration(i+1)*time.Second)
	}
	t.Note("Add(\"A\") of the queue underneath takes %v, Add(\"B\") %v, and so on", n*lesser, (n-1)*lesser)
	time.Sleep(time.Second + n*(n+1)/2*lesser) // until A is due, and what all the Adds take together
	t.Wait()
	var got []string
	for _, a := range w.under.Added() {
		got = append(got, a.Item)
	}
	t.Require(overlaps.Load() == 0, "The queue underneath was slow with the first of %d items, and the moments of the others came meanwhile. Add of the queue underneath was called while another Add had not returned, %s: items are added one after the other.", n, conform.Count(int(overlaps.Load()), "time"))
	for i, item := range want {
		t.Require(slices.Contains(got, item), "AddAfter was called for %d items, and their moments came while the queue underneath was slow with the first of them. By %v it has had the time for all, one after the other, and %d of them have been added. %q is missing, whose moment was %v: what is overdue is added without further delay, when the Add before it has returned.", n, t.Elapsed(), len(got), item, began+time.Duration(i+1)*time.Second)
	}
	t.Require(len(got) == n, "AddAfter was called once for each of %d items, and they were added in this order: %s.", n, strings.Join(got, ""))
	for i := range n {
		t.Require(got[i] == want[i], "The queue underneath was slow with the first of %d items, and the moments of the others came meanwhile. The moment of %q was earlier than that of %q, and %[3]q was added first: items are added in the order of their moments, A to h, one after the other. They were added in this order: %[4]s.", n, want[i], got[i], strings.Join(got, ""))
	}
	w.ShutDown()
}

// lesser is how much less time Add of an uneven queue takes for each letter.
const lesser = 20 * time.Second

// uneven is a queue whose Add takes 800 seconds to add A, and 20 seconds less for each letter after it.
type uneven struct {
	*queues.Plain
	busy, overlaps *atomic.Int32 // Adds that are under way, and those that began during another
}

func (q uneven) Add(item string) {
	if q.busy.Add(1) > 1 {
		q.overlaps.Add(1)
	}
	defer q.busy.Add(-1)
	time.Sleep(time.Duration('A'+40-rune(item[0])) * lesser)
	q.Plain.Add(item)
}

// droppedByADrain has the moments of items come while a drain waits for another one.
func droppedByADrain(t *conform.T, w *world) {
	w.Add("hangs")
	w.Expect(t, "hangs")
	w.AddAfter("soon", 5*time.Second)
	w.AddAfter("waits", time.Minute)
	t.Wait()
	drained := w.Drain(t)
	t.Go("handler", func(a *conform.Actor) {
		w.As(a).AddAfter("late", 0)
		w.As(a).AddAfter("late", -time.Nanosecond)
		w.As(a).AddAfter("late", time.Second)
	})
	time.Sleep(time.Hour)
	t.Wait()
	late := timesOf("late", w.under.Late())
	t.Require(len(late) == 0, "ShutDownWithDrain had shut the queue underneath down, and waited for an item that was being processed. AddAfter was called for \"late\" meanwhile, with 0s, -1ns and 1s, and Add of the queue underneath was called for it, at %s: from then on AddAfter does nothing, it does not even call Add.", moments(late))
	for _, a := range w.under.Late() {
		t.Require(a.Item == "hangs", "%q was waiting when ShutDownWithDrain was called, and its moment came at %v, while the drain waited for an item that was being processed. Add of the queue underneath was called for it: a drain drops all that wait when it begins, and not when it has ended.", a.Item, a.At)
	}
	w.Done("hangs")
	<-drained
}

// droppedBesideAnAdd shuts a queue down while the queue underneath is slow to add an item and
// others wait for a later moment: one since before, and one for which AddAfter was called meanwhile.
func droppedBesideAnAdd(t *conform.T, w *world) {
	w.AddAfter("waits", time.Minute)
	t.Wait()
	release := w.stall()
	t.Go("producer", func(a *conform.Actor) { w.As(a).AddAfter("called meanwhile", time.Minute) })
	t.Wait()
	w.ShutDown()
	time.Sleep(time.Second)
	release()
	time.Sleep(time.Hour)
	w.AddAfter("late", 0)
	w.AddAfter("late", -time.Nanosecond)
	w.AddAfter("late", time.Second)
	time.Sleep(time.Minute)
	t.Wait()
	late := timesOf("late", w.under.Late())
	t.Require(len(late) == 0, "ShutDown was called while Add of the queue underneath was under way. An hour later, when that had long returned, AddAfter was called for \"late\", with 0s, -1ns and 1s, and Add of the queue underneath was called for it, at %s: once ShutDown has returned AddAfter does nothing.", moments(late))
	for _, item := range []string{"waits", "called meanwhile"} {
		calls := append(w.added(item), timesOf(item, w.under.Late())...)
		t.Require(len(calls) == 0, "%q was waiting for a later moment when ShutDown was called, and Add of the queue underneath was under way for another item. At %s Add was called for %[1]q: a shutdown drops all that wait.", item, moments(calls))
	}
}

// rightAfterTheEnd calls AddAfter on the line after the shutdown: what that has left to a goroutine
// has not happened yet.
func rightAfterTheEnd(t *conform.T, open func() Subject) {
	for _, drain := range []bool{false, true} {
		for _, begin := range []func(*conform.T, Subject) *world{works, start} { // start: nothing was ever delayed
			w := begin(t, open())
			name, end := "ShutDown", w.queue.ShutDown
			if drain {
				name, end = "ShutDownWithDrain", w.queue.ShutDownWithDrain
			}
			end()
			w.queue.AddAfter("late", 0)
			w.queue.AddAfter("late", -time.Nanosecond)
			w.queue.AddAfter("late", time.Second)
			t.Note("%s(), and AddAfter(\"late\", …) with 0s, -1ns and 1s at once", name)
			time.Sleep(time.Minute)
			t.Wait()
			calls := timesOf("late", w.under.Late())
			t.Require(len(calls) == 0, "%s had returned, and AddAfter was called for \"late\" on the next lines, with 0s, -1ns and 1s. Add of the queue underneath was called for it, at %s: once a shutdown was called AddAfter does nothing, for that Add may be slow.", name, moments(calls))
		}
	}
}

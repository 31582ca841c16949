package ratelimitingqueuetest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

var queueCases = []conform.Case[Subject]{
	{
		Name:   "direct-add-bypasses-backoff",
		Points: 5,
		Func:   "RateLimitingQueue.Add",
		Look:   []string{"RateLimitingQueue.AddRateLimited", "an Add of your own"},
		Rule:   "Add goes to the delaying queue at once: the limiter is not asked, nothing is counted and nothing forgotten.",
		Why:    "The new event may be the repair, so it must not wait. The price: each event of an object that keeps failing adds a failure, and a flood of events drives its wait to the maximum in seconds.",
		Hint: []string{
			"Which methods of the delaying queue does this lab ask you to change?",
		},
		Source: "kubernetes#112325 (direct Adds inflate the backoff to 1000 s), kubernetes#136853",
		Contract: []string{
			"Add and AddAfter never call the limiter and count nothing: an item added by an event goes at once even if it is backing off, and if it then fails again, its wait doubles again",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			inner, limiter := newDelaying(t), fake.Doubling[string](time.Second).In(t)
			q := over(t, open(), limiter, inner)
			for failures := range 4 {
				q.Add("a") // an event, while "a" is backing off from the failure before
				q.Expect(t, "a")
				t.Require(t.Elapsed() == 0, "An item was added by Add, and came only after %v: Add waits for nothing.", t.Elapsed())
				n := q.NumRequeues("a")
				t.Require(n == failures, "NumRequeues is %d, and AddRateLimited was called %s: Add must not change it.", n, conform.Count(failures, "time"))
				q.AddRateLimited("a")
				q.Done("a")
			}
			inner.used(t, []string{"a", "a", "a", "a"}, delayed{"a", time.Second}, delayed{"a", 2 * time.Second}, delayed{"a", 4 * time.Second}, delayed{"a", 8 * time.Second})
			t.Require(limiter.Asked() == 4, "AddRateLimited was called 4 times, and the limiter was asked %d times.", limiter.Asked())
			q.ShutDown()
		},
	},
	{
		Name:   "requeue-after-escapes-the-limiter",
		Points: 5,
		Func:   "RateLimitingQueue.AddAfter",
		Look:   []string{"RateLimitingQueue.AddRateLimited", "an AddAfter of your own"},
		Rule:   "AddAfter takes exactly the time it is given, however strict the limiter is, and leaves the count of failures alone.",
		Why:    "A reconciler that returns RequeueAfter gets Forget and AddAfter, so its loop never meets the limiter. AddRateLimited for the first event spreads such objects out once, but bounds no rate, and counts as a failure.",
		Hint: []string{
			"AddAfter already exists, in the queue that you were given.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: reconcileHandler (RequeueAfter is Forget, then an add with After)",
		Contract: []string{
			"Add and AddAfter never call the limiter and count nothing",
			"an item added by AddAfter comes after exactly that time, however strict the limiter is",
			"hands item to the delaying queue's AddAfter with exactly that time",
			"Everything but the three methods below is the delaying queue's own and goes there unchanged",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			limiter := fake.Always[string](time.Hour).In(t)
			q := over(t, open(), limiter, newDelaying(t))
			q.Add("a")
			for round := range 5 { // a reconciler that always answers RequeueAfter: 5 s
				q.Expect(t, "a")
				queues.Came(t, "a", t.Elapsed(), time.Duration(round)*5*time.Second, "")
				q.Forget("a")
				q.AddAfter("a", 5*time.Second)
				q.Done("a")
			}
			t.Require(limiter.Asked() == 0, "Only Add and AddAfter were called, and the limiter was asked %d times.", limiter.Asked())
			q.ShutDown()
			anyDuration(t, open())
			limitedFromTheFirstEvent(t, open())
			forgetsNothing(t, open())
		},
	},
	{
		Name:   "forget-dequeues-nothing",
		Points: 5,
		Func:   "RateLimitingQueue.Forget",
		Rule:   "Forget reaches the limiter and nothing else: an item that waits still comes, and an item that a worker holds still needs Done.",
		Why:    "Reconcilers call Forget on success while a newer event of the same object is already queued. That event must not be lost.",
		Hint: []string{
			"Forget is about past failures. Does the queue hold anything of the past?",
		},
		Source: "client-go util/workqueue/rate_limiting_queue.go: Forget (only clears the rateLimiter, you still have to call Done)",
		Contract: []string{
			"Forget tells the limiter to forget item and does nothing more: an item that waits or is queued still comes, and an item that a worker holds still needs its Done",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			limiter := fake.Always[string](3 * time.Second).In(t)
			q := over(t, open(), limiter, newDelaying(t))
			q.AddRateLimited("waits")
			q.Add("queued")
			q.Forget("waits")
			q.Forget("queued")
			forgot := strings.Join(slices.Compact(limiter.Forgotten()), ", ")
			t.Require(forgot == "waits, queued", "Forget was called for “waits” and “queued”, and the limiter's Forget was called for: %s.", cmp.Or(forgot, "nothing"))
			q.Holds(t, 1, "Forget takes nothing out of the queue")
			q.Expect(t, "queued")
			q.Forget("queued")
			q.Add("queued")
			q.Holds(t, 0, "Forget does not end the work on an item, which was added meanwhile")
			q.Done("queued")
			q.Holds(t, 1, "an item was added while it was worked on, and is done")
			q.Expect(t, "queued")
			q.Expect(t, "waits")
			queues.Came(t, "waits", t.Elapsed(), 3*time.Second, "")
			q.ShutDown()
			before := len(limiter.Forgotten())
			q.Forget("waits")
			t.Require(len(limiter.Forgotten()) > before, "Forget was called after ShutDown, and the limiter was not told: Forget tells it whether or not the queue is shut down.")
			q.Forget("")
			t.Require(slices.Contains(limiter.Forgotten(), ""), "Forget(\"\") was called, and the limiter was not told: \"\" is an item like any other.")
		},
	},
	{
		Name:   "the-rest-is-the-delaying-queue",
		Points: 5,
		Func:   "NewRateLimitingQueue",
		Look:   []string{"NewRateLimitingQueue", "RateLimitingQueue.AddRateLimited", "RateLimitingQueue.Forget", "a method of your own that the queue below has"},
		Rule:   "Everything else is the delaying queue's own: what is added there comes out here, and shutting down here shuts down there.",
		Why:    "Queues are built in layers. Each layer is injected, so that it can be tested, measured and replaced.",
		Hint: []string{
			"Did you build a second queue, or do you use the one you were given?",
			"Embedding an interface gives you all its methods.",
		},
		Source: "client-go util/workqueue/rate_limiting_queue.go: TypedRateLimitingQueueConfig.DelayingQueue",
		Contract: []string{
			"All methods may be called from any goroutine, and none holds a lock while it calls the limiter or the delaying queue",
			"Everything but the three methods below is the delaying queue's own and goes there unchanged",
			"Its ShutDown and ShutDownWithDrain are those of queue",
			"hands item to the delaying queue's AddAfter with exactly that time",
			"Forget tells the limiter to forget item and does nothing more",
			"returns when AddAfter has returned",
			"NumRequeues returns the limiter's number for item",
			"makes a rate-limiting queue on top of queue, and calls neither limiter nor queue",
			"Add and AddAfter never call the limiter",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { theRest(t, open) })
			belowCallsBack(t, open())
			eachCallsBack(t, open())
			othersWait(t, open())
			meanwhile(t, open())
			t.Virtual(func(t *conform.T) { manyCallers(t, open()) })
		},
	},
}

// theRest uses what the queue has from the delaying queue, and shuts it down.
func theRest(t *conform.T, open func() Subject) {
	callsNeither(t, open())
	inner := newDelaying(t)
	bare := open().Queue(fake.Always[string](0), inner)
	q := queues.CallingRateLimiting(t.Actor, bare)
	inner.Add("from below")
	q.Expect(t, "from below")
	q.AddRateLimited("from below")
	t.Require(inner.Len() == 0, "A worker holds an item that was added meanwhile, and the delaying queue has it queued: Done should queue it.")
	q.Done("from below")
	q.Holds(t, 1, "an item was added while it was worked on, and is done")
	t.Require(!q.ShuttingDown(), "ShuttingDown is true before ShutDown.")
	t.Go("worker", func(*conform.Actor) {
		for item, shutdown := inner.Get(); !shutdown; item, shutdown = inner.Get() {
			time.Sleep(time.Second)
			t.Assert(bare.ShuttingDown(), "ShuttingDown is false while ShutDownWithDrain waits for an item.")
			inner.Done(item)
		}
	})
	q.ShutDownWithDrain()
	t.Require(t.Elapsed() >= time.Second, "ShutDownWithDrain returned after %v, too early: the item that was queued was done after 1s.", t.Elapsed())
	t.Require(q.ShuttingDown(), "ShuttingDown is false after ShutDownWithDrain.")
	t.Require(inner.ShuttingDown(), "ShutDownWithDrain did not reach the delaying queue.")
	item, shutdown := q.Get()
	t.Require(shutdown, "The queue is shut down and empty, and Get returned %q as an item to work on.", item)
	endsAsBelow(t, open())
	forgetsNobody(t, open())
	oftenFailed(t, open())
	inLayers(t, open())
	overMore(t, open())
	underItsOwnLimiter(t, open())
	slowBelow(t, open())
}

// forgetsNothing calls AddAfter for an item that has failed twice, and has it fail again.
func forgetsNothing(t *conform.T, s Subject) {
	inner, limiter := newDelaying(t), fake.Doubling[string](time.Second).In(t)
	q := over(t, s, limiter, inner)
	q.AddRateLimited("a")
	q.AddRateLimited("a")
	q.AddAfter("a", time.Minute)
	q.AddAfter("a", 0)
	n := q.NumRequeues("a")
	t.Require(n == 2, "NumRequeues(\"a\") is %d after two failures and two calls of AddAfter, and should be 2: AddAfter goes to the delaying queue unchanged. It counts nothing, and to forget is the caller's business.", n)
	q.AddRateLimited("a")
	inner.used(t, nil, delayed{"a", time.Second}, delayed{"a", 2 * time.Second}, delayed{"a", time.Minute}, delayed{"a", 0}, delayed{"a", 4 * time.Second})
	q.ShutDown()
}

// endsAsBelow shuts the queue down three times, while a worker holds an item that has failed, and another
// one from below.
func endsAsBelow(t *conform.T, s Subject) {
	inner, limiter := newDelaying(t), fake.Doubling[string](time.Second).In(t)
	q := over(t, s, limiter, inner)
	q.AddRateLimited("held")
	q.Expect(t, "held")
	q.ShutDown()
	t.Go("worker", func(*conform.Actor) {
		time.Sleep(time.Second)
		q.Done("held")
	})
	q.ShutDownWithDrain()
	t.Join()
	q.ShutDown()
	inner.ended(t, "ShutDown", "ShutDownWithDrain", "ShutDown")
	n := q.NumRequeues("held")
	t.Require(n == 1, "NumRequeues is %d after a failure and Done, and should be 1: Done forgets nothing, whether or not the queue is shut down.", n)

	inner = newDelaying(t)
	q = over(t, s, limiter, inner)
	inner.ShutDown()
	t.Require(q.ShuttingDown(), "ShuttingDown is false, and somebody has shut down the delaying queue, whose answer it is.")
}

// forgetsNobody has an item fail and then succeed, and adds items after ShutDown. Nobody calls Forget.
func forgetsNobody(t *conform.T, s Subject) {
	inner, limiter := newDelaying(t), fake.Doubling[string](time.Second).In(t)
	q := over(t, s, limiter, inner)
	q.AddRateLimited("a")
	q.Expect(t, "a")
	q.Done("a")
	q.Add("a")
	q.Expect(t, "a")
	q.Done("a")
	n := q.NumRequeues("a")
	t.Require(n == 1, "NumRequeues is %d after a failure, an Add and two calls of Done, and should be 1: Done goes to the delaying queue unchanged. It forgets nothing.", n)
	q.Add("")
	q.ShutDown()
	item, shutdown := q.Get()
	t.Require(!shutdown && item == "", "\"\" is queued, and Get returned %q, %v: Get is the delaying queue's own, and \"\" is an item like any other.", item, shutdown)
	q.Done("")
	_, shutdown = q.Get()
	t.Require(shutdown, "The queue is shut down and empty, and Get returned an item to work on.")
	q.Add("late")
	q.AddAfter("late", time.Second)
	inner.used(t, []string{"a", "", "late"}, delayed{"a", time.Second}, delayed{"late", time.Second})
	forgot := limiter.Forgotten()
	t.Require(len(forgot) == 0, "Nobody called Forget of the queue, and the limiter's Forget was called for: %s.", quoted(forgot))
}

// inLayers puts the queue on another rate-limiting queue, which is a delaying queue like any other.
func inLayers(t *conform.T, s Subject) {
	inner, below, above := newDelaying(t), fake.Always[string](time.Minute).In(t), fake.Always[string](time.Second).In(t)
	q := queues.CallingRateLimiting(t.Actor, s.Queue(above, s.Queue(below, inner)))
	t.Note("a queue whose limiter says 1s, over another rate-limiting queue, whose limiter says 1m")
	q.AddRateLimited("a")
	inner.used(t, nil, delayed{"a", time.Second})
	q.Forget("a")
	asked, forgot := below.Asked(), below.Forgotten()
	t.Require(asked == 0, "AddRateLimited of the upper queue asked the limiter of the lower one %s: it calls AddAfter of the queue below, which asks no limiter.", conform.Count(asked, "time"))
	t.Require(len(forgot) == 0, "Forget of the upper queue reached the limiter of the lower one: it tells its own limiter and does nothing more.")
}

// limitedFromTheFirstEvent shows what can be done about the loop that escapes: let the
// first event in by AddRateLimited. The limiter spreads the items once, and equal
// periods keep them spread.
func limitedFromTheFirstEvent(t *conform.T, s Subject) {
	const items, period = 4, 10 * time.Second
	began, places := t.Elapsed(), 0
	q := over(t, s, fake.NewLimiter(func(string, int) time.Duration { places++; return time.Duration(places) * time.Second }).In(t), newDelaying(t))
	for i := range items {
		q.AddRateLimited(name(i))
	}
	for turn := range 3 * items {
		item := name(turn % items)
		q.Expect(t, item)
		queues.Came(t, item, t.Elapsed()-began, time.Duration(turn%items+1)*time.Second+time.Duration(turn/items)*period, "")
		q.Forget(item)
		q.AddAfter(item, period)
		q.Done(item)
	}
	q.ShutDown()
}

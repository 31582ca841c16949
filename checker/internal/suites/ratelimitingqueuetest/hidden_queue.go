package ratelimitingqueuetest

import (
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var queueCases = []conform.Case[Subject]{
	{
		Name:   "direct-add-bypasses-backoff",
		Points: 5,
		Func:   "RateLimitingQueue.Add",
		Rule:   "Add goes to the delaying queue at once: the limiter is not asked, nothing is counted and nothing forgotten.",
		Why:    "The new event may be the repair, so it must not wait. The price: each event of an object that keeps failing adds a failure, and a flood of events drives its wait to the maximum in seconds.",
		Hint: []string{
			"Which methods of the delaying queue does this lab ask you to change?",
		},
		Source: "kubernetes#112325 (direct Adds inflate the backoff to 1000 s), kubernetes#136853",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			inner, limiter := newDelaying(), scriptedBy(doubling(time.Second))
			q := open().Queue(limiter, inner)
			for failures := 1; failures <= 4; failures++ {
				add(t, q, "a") // an event, while "a" is backing off from the failure before
				item, _ := get(t, q)
				require.Equal(t, "a", item, "Get returned something that was not added.")
				require.Zero(t, t.Elapsed(), "An item added directly had to wait.")
				require.Equal(t, failures-1, queueRequeues(t, q, "a"), "Add changed the count of failures.")
				addRateLimited(t, q, "a")
				done(t, q, "a")
			}
			_, delays := inner.used()
			assert.Equal(t, []delayed{{"a", time.Second}, {"a", 2 * time.Second}, {"a", 4 * time.Second}, {"a", 8 * time.Second}}, delays,
				"Four failures within one second did not wait 1, 2, 4 and 8 s.")
			require.Equal(t, 4, limiter.calls(), "The limiter was not asked once for each AddRateLimited, and for nothing else.")
			shutDown(t, q)
		},
	},
	{
		Name:   "requeue-after-escapes-the-limiter",
		Points: 5,
		Func:   "RateLimitingQueue.AddAfter",
		Rule:   "AddAfter takes exactly the time it is given, however strict the limiter is.",
		Why:    "A reconciler that returns RequeueAfter gets Forget and AddAfter, so its loop never meets the limiter. AddRateLimited for the first event spreads such objects out once, but bounds no rate, and counts as a failure.",
		Hint: []string{
			"AddAfter already exists, in the queue that you were given.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: reconcileHandler (RequeueAfter is Forget, then an add with After)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			limiter := always(time.Hour)
			q := open().Queue(limiter, newDelaying())
			add(t, q, "a")
			for round := range 5 { // a reconciler that always answers RequeueAfter: 5 s
				item, _ := get(t, q)
				require.Equal(t, "a", item, "Get returned something that was not added.")
				require.Equal(t, time.Duration(round)*5*time.Second, t.Elapsed(), "AddAfter did not take the time it was given.")
				queueForget(t, q, item)
				addAfter(t, q, item, 5*time.Second)
				done(t, q, item)
			}
			require.Zero(t, limiter.calls(), "AddAfter asked the limiter.")
			shutDown(t, q)
			limitedFromTheFirstEvent(t, open())
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
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			limiter := always(3 * time.Second)
			q := open().Queue(limiter, newDelaying())
			addRateLimited(t, q, "waits")
			add(t, q, "queued")
			queueForget(t, q, "waits")
			queueForget(t, q, "queued")
			require.Equal(t, []string{"waits", "queued"}, limiter.forgotten(), "Forget did not reach the limiter, once for each item.")
			require.Equal(t, 1, length(t, q), "Forget changed what is queued.")
			item, _ := get(t, q)
			require.Equal(t, "queued", item, "Forget took an item out of the queue.")
			queueForget(t, q, "queued")
			add(t, q, "queued")
			require.Zero(t, length(t, q), "Forget ended the work on an item: it was queued again before Done.")
			done(t, q, "queued")
			require.Equal(t, 1, length(t, q), "An item that was added while it was worked on is not queued after Done.")
			get(t, q)
			item, _ = get(t, q)
			require.Equal(t, "waits", item, "Forget took an item out of those that wait.")
			require.Equal(t, 3*time.Second, t.Elapsed(), "Forget changed how long an item waits.")
			shutDown(t, q)
		},
	},
	{
		Name:   "the-rest-is-the-delaying-queue",
		Points: 5,
		Func:   "NewRateLimitingQueue",
		Rule:   "Everything else is the delaying queue's own: what is added there comes out here, and shutting down here shuts down there.",
		Why:    "Queues are built in layers. Each layer is injected, so that it can be tested, measured and replaced.",
		Hint: []string{
			"Did you build a second queue, or do you use the one you were given?",
			"Embedding an interface gives you all its methods.",
		},
		Source: "client-go util/workqueue/rate_limiting_queue.go: TypedRateLimitingQueueConfig.DelayingQueue",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			inner := newDelaying()
			q := open().Queue(always(0), inner)
			inner.Add("from below")
			item, shutdown := get(t, q)
			require.True(t, item == "from below" && !shutdown, "An item added to the delaying queue does not come out of the rate-limiting queue.")
			addRateLimited(t, q, "from below")
			require.Zero(t, inner.Len(), "An item that is being worked on was queued.")
			done(t, q, "from below")
			require.Equal(t, 1, length(t, q), "Done did not reach the delaying queue, or Len is not its own.")
			require.False(t, q.ShuttingDown(), "ShuttingDown is true before ShutDown.")
			call := t.Call("queue.ShutDownWithDrain()")
			t.Go("worker", func(*conform.Actor) {
				for item, shutdown := inner.Get(); !shutdown; item, shutdown = inner.Get() {
					time.Sleep(time.Second)
					inner.Done(item)
				}
			})
			q.ShutDownWithDrain()
			call.Returned("")
			require.Equal(t, time.Second, t.Elapsed(), "ShutDownWithDrain did not wait for the item that was queued.")
			require.True(t, q.ShuttingDown() && inner.ShuttingDown(), "ShuttingDown is false after ShutDownWithDrain.")
			_, shutdown = get(t, q)
			require.True(t, shutdown, "Get does not say that the queue was shut down.")
		},
	},
}

// limitedFromTheFirstEvent shows what can be done about the loop that escapes: let the
// first event in by AddRateLimited. The limiter spreads the items once, and equal
// periods keep them spread.
func limitedFromTheFirstEvent(t *conform.T, s Subject) {
	const items, period = 4, 10 * time.Second
	began, places := t.Elapsed(), 0
	q := s.Queue(scriptedBy(func(string, int) time.Duration { places++; return time.Duration(places) * time.Second }), newDelaying())
	for i := range items {
		addRateLimited(t, q, name(i))
	}
	for turn := range 3 * items {
		item, _ := get(t, q)
		require.Equal(t, name(turn%items), item, "The items do not come in the order in which the limiter let them in.")
		want := time.Duration(turn%items+1)*time.Second + time.Duration(turn/items)*period
		require.Equal(t, want, t.Elapsed()-began, "The items do not keep the distance that the limiter gave them.")
		queueForget(t, q, item)
		addAfter(t, q, item, period)
		done(t, q, item)
	}
	shutDown(t, q)
}

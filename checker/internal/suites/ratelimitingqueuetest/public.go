package ratelimitingqueuetest

import (
	"strconv"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "exponential-doubles",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Rule:   "The first wait of an item is the base delay, and every further failure of that item doubles it.",
		Why:    "A first failure is mostly a conflict that is gone in a moment; the tenth in a row is an outage that retries only make worse. And one broken object must not slow down the thousands that are fine.",
		Hint: []string{
			"How many failures came before the first one?",
			"Where is the count kept? Is there one for each item?",
			"Read the count of the item, answer base·2^n with it, and store the count plus one.",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: TypedItemExponentialFailureRateLimiter.When",
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			l := open().Exponential(time.Millisecond, time.Second)
			for i, want := range []time.Duration{1, 2, 4, 8, 16, 32, 64} {
				require.Equal(t, want*time.Millisecond, when(t.Actor, l, "one"),
					"The exponential limiter does not start at its base delay and double from there.")
				require.Equal(t, i+1, requeues(t.Actor, l, "one"), "NumRequeues is not how many failures were counted.")
			}
			require.Zero(t, requeues(t.Actor, l, "fine"), "NumRequeues of an item that never failed is not 0.")
			require.Equal(t, time.Millisecond, when(t.Actor, l, "fine"), "The failures of one item made another wait longer.")
			require.Equal(t, 1, requeues(t.Actor, l, "fine"), "The failures of one item were counted for another.")
		},
	},
	{
		Name:   "forget-starts-over",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.Forget",
		Rule:   "After Forget an item is as if it had never failed, and all other items are as they were.",
		Why:    "A successful reconcile closes the account. Without Forget, an object that failed ten times last month waits five seconds for its first retry today.",
		Hint: []string{
			"Is one failure taken back, or all of them?",
			"Forget removes the item from the map.",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: Forget",
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, l := range []Limiter{s.Exponential(time.Second, time.Hour), s.FastSlow(time.Second, time.Hour, 2)} {
				for range 4 {
					when(t.Actor, l, "one")
					when(t.Actor, l, "other")
				}
				forget(t.Actor, l, "one")
				forget(t.Actor, l, "never seen")
				require.Zero(t, requeues(t.Actor, l, "one"), "NumRequeues is not 0 after Forget.")
				require.Equal(t, time.Second, when(t.Actor, l, "one"), "The first wait after Forget is not that of a first failure.")
				require.Equal(t, 4, requeues(t.Actor, l, "other"), "Forget of one item changed the count of another.")
			}
		},
	},
	{
		Name:   "fast-then-slow",
		Points: 5,
		Func:   "ItemFastSlowRateLimiter.When",
		Rule:   "The first maxFastAttempts failures of each item wait the fast delay, every later one the slow delay.",
		Why:    "Some callers want a few quick tries and then patience: a volume is mounted within a second, or not for minutes.",
		Hint: []string{
			"Is the failure that you count now one of the first maxFastAttempts? Mind the edge.",
		},
		Source: "client-go util/workqueue/default_rate_limiters_test.go: TestItemFastSlowRateLimiter",
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, attempts := range []int{3, 1, 0, -1} {
				l := s.FastSlow(5*time.Millisecond, 10*time.Second, attempts)
				for i := range 6 {
					want := 10 * time.Second
					if i < attempts {
						want = 5 * time.Millisecond
					}
					require.Equal(t, want, when(t.Actor, l, "one"),
						"With %d fast attempts, failure %d did not wait as long as it should.", attempts, i+1)
				}
				require.Equal(t, 6, requeues(t.Actor, l, "one"), "NumRequeues is not how many failures were counted.")
				require.Zero(t, requeues(t.Actor, l, "fine"), "The failures of one item were counted for another.")
			}
		},
	},
	{
		Name:   "bucket-burst-then-waits",
		Points: 5,
		Func:   "BucketRateLimiter.When",
		Rule:   "A new bucket is full: the first burst calls do not wait, whichever item asks, and the next one waits 1/qps.",
		Why:    "The per-item limiters cannot see that ten thousand items fail together. The bucket can, because it does not look at items at all.",
		Hint: []string{
			"How many tokens does the bucket hold before anyone has asked?",
			"One bucket for all items, not one for each.",
		},
		Source: "x/time rate/rate.go: NewLimiter, Reserve; client-go util/workqueue/default_rate_limiters.go: TypedBucketRateLimiter",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			l := open().Bucket(10, 5)
			for i := range 5 {
				require.Zero(t, when(t.Actor, l, "item-"+strconv.Itoa(i)), "A call within the burst had to wait.")
			}
			near(t, 100*time.Millisecond, when(t.Actor, l, "one more"), "The first call after the burst does not wait 1/qps.")
			require.Zero(t, requeues(t.Actor, l, "item-0"), "NumRequeues of a bucket is not 0: a bucket knows no items.")
		},
	},
	{
		Name:   "add-rate-limited-is-add-after-when",
		Points: 5,
		Func:   "RateLimitingQueue.AddRateLimited",
		Rule:   "AddRateLimited asks the limiter once, hands the item with that time to AddAfter, and returns without waiting.",
		Why:    "A worker that sleeps through a backoff is a worker that reconciles nothing: with five workers and five failing objects the controller stands still.",
		Hint: []string{
			"The delaying queue already knows how to wait. What does it need to know?",
			"AddAfter(item, limiter.When(item)). Do not call When a second time for a log line.",
		},
		Source: "client-go util/workqueue/rate_limiting_queue.go: AddRateLimited",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			inner, limiter := newDelaying(), scriptedBy(doubling(time.Second))
			q := open().Queue(limiter, inner)
			addRateLimited(t, q, "a")
			addRateLimited(t, q, "a")
			addRateLimited(t, q, "b")
			adds, delays := inner.used()
			assert.Zero(t, t.Elapsed(), "AddRateLimited waited itself.")
			require.Equal(t, []delayed{{"a", time.Second}, {"a", 2 * time.Second}, {"b", time.Second}}, delays,
				"What reached AddAfter is not the item and the time that the limiter said.")
			require.Empty(t, adds, "AddRateLimited called Add.")
			require.Equal(t, 3, limiter.calls(), "AddRateLimited asked the limiter more than once, or not at all: every question counts as a failure.")
			require.Equal(t, 2, queueRequeues(t, q, "a"), "NumRequeues of the queue is not the limiter's number.")

			inner = newDelaying()
			addRateLimited(t, open().Queue(always(0), inner), "at once")
			adds, delays = inner.used()
			require.Equal(t, []delayed{{"at once", 0}}, delays, "A wait of zero did not reach AddAfter, which knows what to do with it.")
			require.Empty(t, adds, "AddRateLimited called Add.")
		},
	},
}

// when and its like call the subject and write the call into the history.
func when(a *conform.Actor, l Limiter, item string) time.Duration {
	call := a.Call("When(%q)", item)
	d := l.When(item)
	call.Returned("%v", d)
	return d
}

func forget(a *conform.Actor, l Limiter, item string) {
	call := a.Call("Forget(%q)", item)
	l.Forget(item)
	call.Returned("")
}

func requeues(a *conform.Actor, l Limiter, item string) int {
	call := a.Call("NumRequeues(%q)", item)
	n := l.NumRequeues(item)
	call.Returned("%d", n)
	return n
}

func add(t *conform.T, q Queue, item string) {
	call := t.Call("queue.Add(%q)", item)
	q.Add(item)
	call.Returned("")
}

func addAfter(t *conform.T, q Queue, item string, after time.Duration) {
	call := t.Call("queue.AddAfter(%q, %v)", item, after)
	q.AddAfter(item, after)
	call.Returned("")
}

func addRateLimited(t *conform.T, q Queue, item string) {
	call := t.Call("queue.AddRateLimited(%q)", item)
	q.AddRateLimited(item)
	call.Returned("")
}

func get(t *conform.T, q Queue) (string, bool) {
	call := t.Call("queue.Get()")
	item, shutdown := q.Get()
	call.Returned("%q, %v", item, shutdown)
	return item, shutdown
}

func done(t *conform.T, q Queue, item string) {
	call := t.Call("queue.Done(%q)", item)
	q.Done(item)
	call.Returned("")
}

func length(t *conform.T, q Queue) int {
	call := t.Call("queue.Len()")
	n := q.Len()
	call.Returned("%d", n)
	return n
}

func queueForget(t *conform.T, q Queue, item string) {
	call := t.Call("queue.Forget(%q)", item)
	q.Forget(item)
	call.Returned("")
}

func queueRequeues(t *conform.T, q Queue, item string) int {
	call := t.Call("queue.NumRequeues(%q)", item)
	n := q.NumRequeues(item)
	call.Returned("%d", n)
	return n
}

func shutDown(t *conform.T, q Queue) {
	call := t.Call("queue.ShutDown()")
	q.ShutDown()
	call.Returned("")
}

// doubling answers base·2^n.
func doubling(base time.Duration) func(string, int) time.Duration {
	return func(_ string, before int) time.Duration { return base << before }
}

// near asserts a wait to the microsecond, which is what a bucket promises.
func near(t *conform.T, want, got time.Duration, message string, args ...any) {
	args = append([]any{message}, args...)
	require.InDelta(t, float64(want), float64(got), float64(time.Microsecond), args...)
}

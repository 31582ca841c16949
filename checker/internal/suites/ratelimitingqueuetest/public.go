package ratelimitingqueuetest

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
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
		Contract: []string{
			"baseDelay*2ⁿ, where n is how many failures were counted before this one, so n is 0 the first time; or maxDelay where that is less",
			"NumRequeues returns how many failures of item were counted since it was last forgotten: 0 for an item never seen",
			"Items do not affect each other",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			l := open().Exponential(time.Millisecond, time.Second)
			for i, ms := range []time.Duration{1, 2, 4, 8, 16, 32, 64} {
				waits(t, l, "one", ms*time.Millisecond, fmt.Sprintf("failure %d, with a base of 1ms,", i+1))
				counts(t, l, "one", i+1, "so often it has failed")
			}
			counts(t, l, "fine", 0, "only another item has failed")
			waits(t, l, "fine", time.Millisecond, "the first failure of another item")
			counts(t, l, "fine", 1, "so often it has failed")
			for i := range 2 { // an item like any other
				waits(t, l, "", time.Millisecond<<i, fmt.Sprintf("failure %d of the item \"\"", i+1))
			}
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
		Contract: []string{
			"Forget treats item as if it had never failed, and leaves all others alone",
			"Forgetting an unknown item does nothing",
			"Forget treats item as if it had never failed, leaves all others alone",
			"Any value of T may be an item, its zero value too",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, l := range []Limiter{s.Exponential(time.Second, time.Hour), s.FastSlow(time.Second, time.Hour, 2)} {
				for range 4 {
					when(t.Actor, l, "one")
					when(t.Actor, l, "other")
				}
				when(t.Actor, l, "other")
				when(t.Actor, l, "rare")
				forget(t.Actor, l, "one")
				forget(t.Actor, l, "never seen")
				counts(t, l, "one", 0, "it was forgotten")
				waits(t, l, "one", time.Second, "the first failure after Forget")
				forget(t.Actor, l, "one")
				counts(t, l, "other", 5, "only another item was forgotten")
				forget(t.Actor, l, "other") // which has failed most often
				forget(t.Actor, l, "never seen")
				counts(t, l, "rare", 1, "only other items were forgotten")
				when(t.Actor, l, "")
				forget(t.Actor, l, "")
				counts(t, l, "", 0, "it was forgotten after its last failure, and \"\" is an item like any other")
			}
		},
	},
	{
		Name:   "fast-then-slow",
		Points: 5,
		Func:   "ItemFastSlowRateLimiter.When",
		Look:   []string{"ItemFastSlowRateLimiter.When", "NewItemFastSlowRateLimiter"},
		Rule:   "The first maxFastAttempts failures of each item wait the fast delay, every later one the slow delay.",
		Why:    "Some callers want a few quick tries and then patience: a volume is mounted within a second, or not for minutes.",
		Hint: []string{
			"Is the failure that you count now one of the first maxFastAttempts? Mind the edge.",
		},
		Source: "client-go util/workqueue/default_rate_limiters_test.go: TestItemFastSlowRateLimiter",
		Contract: []string{
			"answers fastDelay for the first maxFastAttempts failures of an item and slowDelay for every later one. With maxFastAttempts <= 0 every answer is slowDelay",
			"either may be 0, both may be equal, and fastDelay may be the longer one",
			"NumRequeues returns how many failures of item were counted since it was last forgotten: 0 for an item never seen",
			"Items do not affect each other",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, attempts := range []int{3, 1, 0, -1, math.MinInt} {
				l := s.FastSlow(5*time.Millisecond, 10*time.Second, attempts)
				for i := range 6 {
					want := 10 * time.Second
					if i < attempts {
						want = 5 * time.Millisecond
					}
					waits(t, l, "one", want, fmt.Sprintf("failure %d, with %d fast attempts,", i+1, attempts))
				}
				counts(t, l, "one", 6, "so often it has failed")
				counts(t, l, "fine", 0, "only another item has failed")
			}
			for _, of := range []struct{ fast, slow time.Duration }{{10, 1}, {0, 1}, {1, 0}, {3, 3}, {0, 0}} { // the names bind nobody
				l := s.FastSlow(of.fast*time.Second, of.slow*time.Second, 1)
				with := fmt.Sprintf("with a fastDelay of %ds, a slowDelay of %ds and 1 fast attempt", of.fast, of.slow)
				waits(t, l, "one", of.fast*time.Second, "failure 1, "+with+",")
				waits(t, l, "one", of.slow*time.Second, "failure 2, "+with+",")
				counts(t, l, "one", 2, with+" too, each failure counts")
			}
			for _, attempts := range []int{300, 1 << 8, 1 << 16, 1 << 31, math.MaxInt} {
				l := s.FastSlow(time.Second, time.Hour, attempts)
				t.Note("a new limiter of %d fast attempts", attempts)
				for i := range min(attempts, 300) {
					within(t, l.When("one"), time.Second, 0, fmt.Sprintf("failure %d, with a fastDelay of 1s and %d fast attempts,", i+1, attempts))
				}
			}
		},
	},
	{
		Name:   "bucket-burst-then-waits",
		Points: 5,
		Func:   "BucketRateLimiter.When",
		Look:   []string{"BucketRateLimiter.When", "NewBucketRateLimiter"},
		Rule:   "A new bucket is full: the first burst calls do not wait, whichever item asks, and the next one waits 1/qps.",
		Why:    "The per-item limiters cannot see that ten thousand items fail together. The bucket can, because it does not look at items at all.",
		Hint: []string{
			"How many tokens does the bucket hold before anyone has asked?",
			"One bucket for all items, not one for each.",
		},
		Source: "x/time rate/rate.go: NewLimiter, Reserve; client-go util/workqueue/default_rate_limiters.go: TypedBucketRateLimiter",
		Contract: []string{
			"makes a bucket that holds at most burst tokens, starts full",
			"burst is at least 1 and at most math.MaxInt",
			"returns how long it takes until that token exists: 0 if it exists already",
			"The answer is exact to a microsecond",
			"Which item asks makes no difference",
			"NumRequeues is always 0: a bucket knows no items",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			l := open().Bucket(10, 5)
			for i := range 5 {
				waits(t, l, "item-"+strconv.Itoa(i), 0, "a call within the burst of 5")
			}
			waitsAbout(t, l, "one more", 100*time.Millisecond, "at 10 a second, the first call after the burst")
			waitsAbout(t, l, "", 200*time.Millisecond, "at 10 a second, the second call after the burst, for the item \"\",")
			waitsAbout(t, l, "one more", 300*time.Millisecond, "at 10 a second, the third call after the burst")
			counts(t, l, "item-0", 0, "a bucket knows no items")
			for _, burst := range []int{math.MaxInt32, math.MaxInt} { // as good as no limit
				l = open().Bucket(10, burst)
				t.Note("a new bucket of 10 a second, and a burst of %d", burst)
				for _, pause := range []time.Duration{0, 50 * time.Millisecond, 500 * time.Millisecond, 0} {
					waits(t, l, "a", 0, fmt.Sprintf("a call within the burst of %d", burst))
					time.Sleep(pause)
				}
			}
			l = open().Bucket(1e-12, 1)
			t.Note("a new bucket of 1e-12 a second, and a burst of 1")
			waits(t, l, "a", 0, "the first call, however slowly tokens come,")
			l = open().Bucket(1e-9, 100) // takes longer to fill than a Duration holds
			t.Note("a new bucket of 1e-9 a second, and a burst of 100")
			for range 3 {
				waits(t, l, "a", 0, "a call within the burst of 100, however slowly tokens come,")
				time.Sleep(time.Second)
			}
		},
	},
	{
		Name:   "add-rate-limited-is-add-after-when",
		Points: 5,
		Func:   "RateLimitingQueue.AddRateLimited",
		Look:   []string{"RateLimitingQueue.AddRateLimited", "RateLimitingQueue.NumRequeues"},
		Rule:   "AddRateLimited asks the limiter once, hands the item with that time to AddAfter, and returns without waiting.",
		Why:    "A worker that sleeps through a backoff is a worker that reconciles nothing: with five workers and five failing objects the controller stands still.",
		Hint: []string{
			"The delaying queue already knows how to wait. What does it need to know?",
			"AddAfter(item, limiter.When(item)). Do not call When a second time for a log line.",
		},
		Source: "client-go util/workqueue/rate_limiting_queue.go: AddRateLimited",
		Contract: []string{
			"AddRateLimited asks the limiter once how long item has to wait, and hands item to the delaying queue's AddAfter with exactly that time, even if it is 0 or negative. It does not wait",
			"This holds whatever state item is in, and after ShutDown, too",
			"NumRequeues returns the limiter's number for item",
			"All methods may be called from any goroutine",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			inner, limiter := newDelaying(t), fake.Doubling[string](time.Second).In(t)
			q := over(t, open(), limiter, inner)
			q.AddRateLimited("a")
			q.AddRateLimited("a")
			q.AddRateLimited("b")
			t.Require(t.Elapsed() == 0, "AddRateLimited was called three times, and blocked for %v: it should return at once, and the delaying queue waits.", t.Elapsed())
			inner.used(t, nil, delayed{"a", time.Second}, delayed{"a", 2 * time.Second}, delayed{"b", time.Second})
			t.Require(limiter.Asked() == 3, "AddRateLimited was called 3 times and asked the limiter %d times: every question counts as a failure.", limiter.Asked())
			n := q.NumRequeues("a")
			t.Require(n == 2, "NumRequeues(\"a\") of the queue is %d, and the limiter's number is 2.", n)
			n = q.NumRequeues("b")
			t.Require(n == 1, "NumRequeues(\"b\") of the queue is %d, and the limiter's number is 1.", n)
			limiter.When("b")
			n = q.NumRequeues("b")
			t.Require(n == 2, "The limiter was asked for \"b\" by the queue and by somebody else, NumRequeues(\"b\") of the queue is %d, and the limiter's number is 2.", n)

			// AddAfter knows what to do with any of these.
			for _, wait := range []time.Duration{0, -time.Second, 1234567, 2000 * time.Second, 1000*time.Hour + 1, math.MaxInt64} {
				inner, limiter = newDelaying(t), fake.Always[string](wait).In(t)
				over(t, open(), limiter, inner).AddRateLimited("")
				inner.used(t, nil, delayed{"", wait})
				t.Require(t.Elapsed() == 0, "AddRateLimited blocked for %v, and the limiter says %v: it should return at once, and the delaying queue waits.", t.Elapsed(), wait)
				t.Require(limiter.Asked() == 1, "AddRateLimited was called once, and asked the limiter %s: every question counts as a failure.", conform.Count(limiter.Asked(), "time"))
			}
			whileHeld(t, open())
			afterShutDown(t, open())
			withoutNumbers(t, open())
			neverGivesUp(t, open(), time.Second, 0)
			neverGivesUp(t, open(), 0, 200)
			anyNumber(t, open())
			workersFail(t, open())
			allAtOnce(t, open())
		},
	},
}

package ratelimitingqueuetest

import (
	"math"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var hidden = append(limiterCases, append(bucketCases, queueCases...)...)

var limiterCases = []conform.Case[Subject]{
	{
		Name:   "exponential-stops-at-the-maximum",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Rule:   "No wait is longer than maxDelay, not even the first.",
		Why:    "Without a cap the wait after the thirtieth failure is two months, and nobody expects the object to come back.",
		Hint: []string{
			"What if baseDelay is already more than maxDelay?",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: TypedItemExponentialFailureRateLimiter.When",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			l := s.Exponential(3*time.Second, 20*time.Second)
			for _, want := range []time.Duration{3, 6, 12, 20, 20, 20} {
				require.Equal(t, want*time.Second, when(t.Actor, l, "one"), "The wait is not base·2^n, or maxDelay where that is less.")
			}
			require.Equal(t, 6, requeues(t.Actor, l, "one"), "Failures at the maximum were not counted.")
			l = s.Exponential(8*time.Second, 32*time.Second)
			for _, want := range []time.Duration{8, 16, 32, 32} {
				require.Equal(t, want*time.Second, when(t.Actor, l, "one"), "The wait is not base·2^n, or maxDelay where that is less.")
			}
			l = s.Exponential(time.Minute, time.Second)
			require.Equal(t, time.Second, when(t.Actor, l, "one"), "The first wait is longer than maxDelay.")
			l = s.Exponential(time.Minute, 0)
			require.Zero(t, when(t.Actor, l, "one"), "The first wait is longer than maxDelay.")
		},
	},
	{
		Name:   "exponential-never-overflows",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Rule:   "An item may fail any number of times: its wait never falls and is never negative.",
		Why:    "A queue takes a negative wait for \"at once\". It would retry the object that has failed most often as fast as the processor can.",
		Hint: []string{
			"How many bits does a Duration have? How often can you double 1 ms?",
			"Compare before you shift: baseDelay > maxDelay>>n says the same and cannot overflow.",
		},
		Source: "client-go util/workqueue/default_rate_limiters_test.go: TestItemExponentialFailureRateLimiterOverFlow",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, c := range []struct{ base, most time.Duration }{
				{time.Millisecond, 1000 * time.Second},
				{time.Minute, 1000 * time.Hour},
				{5 * time.Millisecond, math.MaxInt64},
				{7, 1000 * time.Second},
				{3, math.MaxInt64 / 2},
			} {
				l := s.Exponential(c.base, c.most)
				last := time.Duration(0)
				for n := range 1200 {
					now := when(t.Actor, l, "one")
					require.GreaterOrEqual(t, now, last, "With base %v the wait fell after %d failures.", c.base, n)
					require.LessOrEqual(t, now, c.most, "With base %v the wait was more than maxDelay after %d failures.", c.base, n)
					last = now
				}
				require.Equal(t, c.most, last, "After 1200 failures the wait is not maxDelay.")
			}
			failsVeryOften(t, s)
		},
	},
	{
		Name:   "exponential-to-the-last-bit",
		Points: 2,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Rule:   "The wait is base times 2 to the power of n, to the nanosecond, for every base delay, up to the longest Duration there is.",
		Why:    "client-go computes with floats. With a base of 1 ns its 64th answer is negative, and a queue takes that for \"at once\".",
		Hint: []string{
			"Which whole numbers can a float64 hold? What is math.MaxInt64 as a float64?",
			"Shift integers: a Duration is one.",
		},
		Source: "the contract of this lab; Go time/time.go: Duration",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, base := range []time.Duration{1, 2, 1 << 20, 1<<53 + 1} {
				l := s.Exponential(base, math.MaxInt64)
				want := base
				for n := range 70 {
					require.Equal(t, want, when(t.Actor, l, "one"), "With a base of %d ns the wait after %d failures is not base times 2 to the power of that, or maxDelay where that is less.", base, n)
					if want > math.MaxInt64/2 {
						want = math.MaxInt64
					} else {
						want *= 2
					}
				}
			}
		},
	},
	{
		Name:   "max-of-asks-all",
		Points: 5,
		Func:   "MaxOfRateLimiter.When",
		Rule:   "Every When and every Forget reaches every limiter exactly once; the longest wait and the largest count are the answer.",
		Why:    "A limiter that was not asked has not counted. If you skip the bucket while items back off, it is full when they all come back.",
		Hint: []string{
			"Do you stop as soon as one is strict enough?",
			"The answer is the longest wait, not the sum and not the last one.",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: TypedMaxOfRateLimiter",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for strictest := range 3 {
				parts := []*scripted{always(0), always(time.Second), always(time.Millisecond)}
				parts[strictest] = always(time.Hour)
				l := s.MaxOf(parts[0], parts[1], parts[2])
				for range 3 {
					require.Equal(t, time.Hour, when(t.Actor, l, "one"), "The wait is not the longest of those of the limiters.")
				}
				parts[strictest].When("other") // this one alone knows of a failure of "other"
				require.Equal(t, 1, requeues(t.Actor, l, "other"), "NumRequeues is not the largest of those of the limiters.")
				forget(t.Actor, l, "one")
				forget(t.Actor, l, "never failed") // as a bucket sees every item
				for i, p := range parts {
					asked := p.calls()
					if i == strictest {
						asked-- // by the suite
					}
					require.Equal(t, 3, asked, "When of limiter %d of 3 was not called once for each failure.", i+1)
					require.Equal(t, []string{"one", "never failed"}, p.forgotten(), "Forget of limiter %d of 3 was not called once for each item.", i+1)
				}
			}
			require.Zero(t, when(t.Actor, s.MaxOf(), "one"), "A limiter made of no limiters makes an item wait.")
			require.Zero(t, requeues(t.Actor, s.MaxOf(), "one"), "A limiter made of no limiters counts requeues.")
		},
	},
	{
		Name:   "default-limiter",
		Points: 5,
		Func:   "DefaultControllerRateLimiter",
		Rule:   "The default limiter is the strictest of 5 ms doubling to 1000 s for each item, and 10 a second with a burst of 100 for all.",
		Why:    "These are the numbers of the controllers of Kubernetes itself. They are the reason why a cluster that failed as a whole comes back at ten objects a second.",
		Hint: []string{
			"You have already written both parts and the limiter that joins them.",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: DefaultTypedControllerRateLimiter",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			l := s.Default()
			for want := 5 * time.Millisecond; want < 1000*time.Second; want *= 2 {
				require.Equal(t, want, when(t.Actor, l, "one"), "One item alone does not wait 5 ms, doubling.")
			}
			require.Equal(t, 1000*time.Second, when(t.Actor, l, "one"), "One item alone waits longer than 1000 s, or stops before.")

			l = s.Default()
			for i := range 100 {
				require.Equal(t, 5*time.Millisecond, when(t.Actor, l, name(i)), "One of 100 items that fail together for the first time does not wait 5 ms.")
			}
			for i := range 5 {
				near(t, time.Duration(i+1)*100*time.Millisecond, when(t.Actor, l, name(100+i)),
					"Item %d that fails at the same moment does not wait for its place among ten a second.", 101+i)
			}
		},
	},
	{
		Name:   "forgotten-items-are-gone",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.Forget",
		Rule:   "A limiter keeps nothing of an item that was forgotten, and a bucket keeps nothing of any item.",
		Why:    "Pod names do not come back. A controller that keeps a few bytes for each of them runs out of memory after some weeks.",
		Hint: []string{
			"Is the count set to 0, or is the item taken out of the map?",
		},
		Source: `client-go util/workqueue/rate_limiting_queue.go: "Remember to call Forget!"`,
		Alone:  true,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, l := range []struct {
				name    string
				limiter Limiter
				forgets bool
			}{
				{"The exponential limiter", s.Exponential(time.Second, time.Hour), true},
				{"The fast-slow limiter", s.FastSlow(time.Second, time.Hour, 3), true},
				{"The bucket", s.Bucket(1, 10), false},
				{"The limiter of limiters", s.MaxOf(s.Exponential(time.Second, time.Hour), s.FastSlow(1, 2, 3)), true},
			} {
				kept := keeps(l.limiter, l.forgets)
				require.Positive(t, when(t.Actor, l.limiter, "one more"), "%s lets an item go at once that it should make wait.", l.name)
				require.Less(t, kept, int64(4<<20), "%s still holds memory for a thousand items that it should know nothing of.", l.name)
			}
		},
	},
	{
		Name:   "concurrent-failures-all-count",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Rule:   "Any number of goroutines may use one limiter: no failure is lost, and there is no data race.",
		Why:    "All workers of a controller share one limiter. When the API server goes away, they all fail in the same millisecond.",
		Hint: []string{
			"Between your read of the count and your write, another goroutine can do both.",
			"Hold one lock around both, in When, Forget and NumRequeues alike.",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: failuresLock (no test of client-go defends it)",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				s := open()
				exponential, fastSlow := s.Exponential(1, time.Hour), s.FastSlow(1, 2, 10)
				both := s.MaxOf(exponential, fastSlow)
				const workers, tries = 6, 30
				for w := range workers {
					t.Go(name(w), func(a *conform.Actor) {
						for i := range tries {
							when(a, both, "shared")
							when(a, both, name(w))
							requeues(a, both, "shared")
							if i%10 == 9 {
								forget(a, both, name(w))
							}
						}
					})
				}
				t.Join()
				for _, l := range []Limiter{exponential, fastSlow} {
					require.Equal(t, workers*tries, requeues(t.Actor, l, "shared"), "Failures that came at the same moment were lost.")
					require.Zero(t, requeues(t.Actor, l, name(0)), "An item that was forgotten last still has failures.")
				}
			})
			failTogether(t, open())
		},
	},
	{
		Name:   "limiters-against-a-model",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Rule:   "Whatever fails or is forgotten, in any order and at any time, every answer is that of a limiter written in the plainest way.",
		Why:    "A controller meets orders of events that nobody thought of while writing the examples.",
		Hint: []string{
			"This is the shortest failing history that was found. Work out its last line by hand: the count of the item, or the balance of the bucket.",
		},
		Source: "the contract of this lab, by way of pgregory.net/rapid",
		Check: func(t *conform.T, open func() Subject) {
			checkItemModel(t, open)
			checkBucketModel(t, open)
		},
	},
}

// failsVeryOften counts further than a small integer can, which the history would be too long for.
func failsVeryOften(t *conform.T, s Subject) {
	const failures = 70_000
	for _, l := range []Limiter{s.Exponential(time.Millisecond, time.Hour), s.FastSlow(time.Millisecond, time.Hour, 3)} {
		last := time.Duration(0)
		for n := range failures {
			now := l.When("one")
			if now < last {
				require.Failf(t, "the wait fell", "After %d failures the wait fell from %v to %v.", n, last, now)
			}
			last = now
		}
		t.Note("When(\"one\") %d times", failures)
		require.Equal(t, failures, requeues(t.Actor, l, "one"), "NumRequeues is not how many failures were counted.")
	}
}

// failTogether lets two goroutines fail on one item at the same moment, again and again with
// another item: what one step of two does wrong shows in one round of many.
func failTogether(t *conform.T, s Subject) {
	const rounds, base = 2000, 3
	fastSlow, exponential := s.FastSlow(1, 2, 1), s.Exponential(base, time.Hour)
	var arrived atomic.Int32
	var fs, exp [2][rounds]time.Duration
	t.Note("two goroutines fail on the same item at the same moment, %d times", rounds)
	for who := range 2 {
		t.Go(name(who), func(*conform.Actor) {
			for round := range rounds {
				item := strconv.Itoa(round)
				for arrived.Add(1); arrived.Load() < int32(2*round+2); {
					runtime.Gosched()
				}
				fs[who][round], exp[who][round] = fastSlow.When(item), exponential.When(item)
			}
		})
	}
	t.Join()
	for round := range rounds {
		require.EqualValues(t, 1+2, fs[0][round]+fs[1][round], "An item may be tried fast once and failed twice at the same moment: not one of its waits was fast and one slow.")
		require.EqualValues(t, base+2*base, exp[0][round]+exp[1][round], "An item failed twice at the same moment, and its waits are not those of a first and a second failure.")
	}
}

func name(i int) string { return "item-" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) }

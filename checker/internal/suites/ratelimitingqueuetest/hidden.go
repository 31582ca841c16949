package ratelimitingqueuetest

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
)

// The model comes after the cases with a name for what they find, and so do their failures.
var hidden = slices.Concat(limiterCases, bucketCases, modelCases, queueCases)

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
		Contract: []string{
			"baseDelay*2ⁿ, where n is how many failures were counted before this one, so n is 0 the first time; or maxDelay where that is less",
			"whose waits start at baseDelay, or at maxDelay if that is shorter, and never exceed maxDelay",
			"NumRequeues returns how many failures of item were counted since it was last forgotten: 0 for an item never seen",
		},
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, c := range []struct{ base, most, first time.Duration }{{3, 20, 3}, {8, 32, 8}, {60, 1, 1}, {60, 0, 0}} {
				l := s.Exponential(c.base*time.Second, c.most*time.Second)
				want := c.first
				for n := range 6 {
					waits(t, l, "one", want*time.Second, fmt.Sprintf("failure %d, with a base of %ds and a maximum of %ds,", n+1, c.base, c.most))
					want = min(2*want, c.most)
				}
				counts(t, l, "one", 6, "failures at the maximum count too")
			}
		},
	},
	{
		Name:   "exponential-never-overflows",
		Long:   true,
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Look:   []string{"ItemExponentialFailureRateLimiter.When", "ItemExponentialFailureRateLimiter.Forget"},
		Rule:   "An item may fail any number of times: its wait never falls and is never negative.",
		Why:    "A queue takes a negative wait for \"at once\". It would retry the object that has failed most often as fast as the processor can.",
		Hint: []string{
			"How many bits does a Duration have? How often can you double 1 ms?",
			"Compare before you shift: baseDelay > maxDelay>>n says the same and cannot overflow.",
		},
		Source: "client-go util/workqueue/default_rate_limiters_test.go: TestItemExponentialFailureRateLimiterOverFlow",
		Contract: []string{
			"An item may fail any number of times: the answer never falls until Forget is called for it, never exceeds maxDelay and is never negative",
			"baseDelay*2ⁿ, where n is how many failures were counted before this one, so n is 0 the first time; or maxDelay where that is less",
			"Forget treats item as if it had never failed",
		},
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
					t.Require(now >= last, "With a base of %v the wait fell at failure %d, from %v to %v.", c.base, n+1, last, now)
					t.Require(now <= c.most, "With a base of %v the wait at failure %d was %v, and the maximum is %v.", c.base, n+1, now, c.most)
					last = now
				}
				t.Require(last == c.most, "With a base of %v the wait at failure 1200 was %v, and not the maximum of %v.", c.base, last, c.most)
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
		Source:   "the contract of this lab; Go time/time.go: Duration",
		Contract: []string{"baseDelay*2ⁿ, where n is how many failures were counted before this one, so n is 0 the first time; or maxDelay where that is less"},
		Mode:     conform.Virtual, // no time passes: a limiter that forgets with time has another case
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, of := range []struct{ base, most time.Duration }{
				{1, math.MaxInt64}, {2, math.MaxInt64}, {1 << 20, math.MaxInt64}, {1<<53 + 1, math.MaxInt64},
				{1, 1 << 3}, {1, 1<<3 + 1}, {3, 3<<2 - 1}, {3, 3<<2 + 1}, {5, 5}, {5, 4}, // what is doubled meets the maximum, or passes it by one
			} {
				l := s.Exponential(of.base, of.most)
				want := min(of.base, of.most)
				for n := range 70 {
					got := when(t.Actor, l, "one")
					t.Require(got == want, "With a base of %dns and a maximum of %dns the wait after %s is %dns. It should be %dns: the base times 2 to the power of %d, or the maximum.",
						of.base, of.most, conform.Count(n, "failure"), got, want, n)
					want = min(want, of.most-want) + want // the double, or the maximum
				}
			}
		},
	},
	{
		Name:   "max-of-asks-all",
		Points: 5,
		Func:   "MaxOfRateLimiter.When",
		Look:   []string{"MaxOfRateLimiter.When", "MaxOfRateLimiter.Forget", "MaxOfRateLimiter.NumRequeues", "NewMaxOfRateLimiter", "NewItemExponentialFailureRateLimiter"},
		Rule:   "Every When reaches every limiter exactly once, and every Forget reaches them all; the longest wait and the largest count are the answer.",
		Why:    "A limiter that was not asked has not counted. If you skip the bucket while items back off, it is full when they all come back.",
		Hint: []string{
			"Do you stop as soon as one is strict enough?",
			"The answer is the longest wait, not the sum and not the last one.",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: TypedMaxOfRateLimiter",
		Contract: []string{
			"No method holds a lock while it calls one of them",
			"When asks every limiter exactly once, whatever the others answered, and returns the longest wait",
			"NumRequeues returns the largest number that any of the limiters gives for item",
			"Forget tells every limiter to forget item",
			"Without limiters, every When and every NumRequeues is 0, and Forget does nothing",
			"Any of the limiters may be a limiter of limiters itself",
			"NewMaxOfRateLimiter writes neither to its elements nor to the spare capacity behind them",
			"Each is a limiter of its own, even where two have the same type and the same numbers; their type need not be one that == can compare",
		},
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for strictest := range 3 {
				says := []time.Duration{0, time.Second, time.Millisecond}
				says[strictest] = time.Hour
				parts := []*fake.Limiter[string]{fake.Always[string](says[0]), fake.Always[string](says[1]), fake.Always[string](says[2])}
				l := s.MaxOf(parts[0], parts[1], parts[2])
				for range 3 {
					waits(t, l, "one", time.Hour, fmt.Sprintf("the three limiters say %v, %v and %v, and the strictest", says[0], says[1], says[2]))
				}
				parts[strictest].When("other") // this one alone knows of a failure of "other"
				counts(t, l, "other", 1, fmt.Sprintf("limiter %d of three has counted a failure of it, and the others have not heard of it", strictest+1))
				forget(t.Actor, l, "one")
				forget(t.Actor, l, "never failed") // as a bucket sees every item
				for i, p := range parts {
					asked := p.Asked()
					if i == strictest {
						asked-- // by the suite
					}
					t.Require(asked == 3, "When was called 3 times, and When of limiter %d of 3 was called %d times.", i+1, asked)
					forgot := strings.Join(slices.Compact(p.Forgotten()), ", ")
					t.Require(forgot == "one, never failed", "Forget was called for “one” and for “never failed”, and Forget of limiter %d of 3 was called for: %s.", i+1, cmp.Or(forgot, "nothing"))
				}
			}
			for _, longest := range []time.Duration{1, 999*time.Microsecond + 1, time.Hour + 1} {
				l := s.MaxOf(fake.Always[string](0), fake.Always[string](longest), fake.Always[string](0))
				waits(t, l, "one", longest, fmt.Sprintf("the three limiters say 0s, %v and 0s, and the strictest", longest))
			}
			inner := fake.Always[string](time.Second)
			waits(t, s.MaxOf(s.MaxOf(inner)), "one", time.Second, "the only limiter, inside of two limiters of limiters, says 1s, and an item")
			t.Require(inner.Asked() == 1, "A limiter of limiters was asked once, another one is all it has, and the one limiter in that was asked %s.", conform.Count(inner.Asked(), "time"))
			partOfTwo(t, s)
			nested(t, s)
			twoAndOne(t, s)
			alikeIn(t, s)
			alike(t, s, time.Hour)
			alike(t, s, math.MaxInt64)
			manyParts(t, s)
			partsCallBack(t, s)
			partsAskAgain(t, s)
			atOneMoment(t, s)
			none := s.MaxOf()
			for range 2 {
				waits(t, none, "one", 0, "with a limiter made of no limiters, an item")
				counts(t, none, "one", 0, "a limiter made of no limiters counts nothing")
				forget(t.Actor, none, "one")
			}
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
		Contract: []string{
			"Each call makes a new limiter, with a bucket of its own",
			"the strictest of an exponential limiter for each item, from 5 ms to 1000 s, and a bucket for all items together, of 10 a second with a burst of 100",
			"asks every limiter exactly once, whatever the others answered",
			"Forget does nothing: a token that was taken is not given back",
			"none of them ever sleeps",
			"NumRequeues returns the largest number that any of the limiters gives for item",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			l := s.Default()
			t.Note("one item alone fails again and again")
			for want := 5 * time.Millisecond; want < 1000*time.Second; want *= 2 {
				waits(t, l, "one", want, "one item alone, from 5ms and doubling,")
			}
			waits(t, l, "one", 1000*time.Second, "one item alone, which has reached the maximum,")
			t.Require(t.Elapsed() == 0, "All calls together took %v: a limiter never sleeps.", t.Elapsed())

			t.Note("a new limiter: many items fail together, each for the first time")
			l = s.Default()
			for i := range 100 {
				waits(t, l, name(i), 5*time.Millisecond, "each of 100 items that fail together for the first time, under a new limiter with a full bucket of its own,")
			}
			got := when(t.Actor, l, name(100))
			if got <= 5*time.Millisecond {
				t.Fatalf("When returned %v, too short a wait: item 101 of those that fail together, at ten a second after a burst of 100, waits 100ms. %s", got, firstToWait(l))
			}
			within(t, got, 100*time.Millisecond, time.Microsecond, "item 101 of those that fail together, at ten a second after a burst of 100,")
			for i := 1; i < 5; i++ {
				waitsAbout(t, l, name(100+i), time.Duration(i+1)*100*time.Millisecond, fmt.Sprintf("item %d of those that fail together, at ten a second after a burst of 100,", 101+i))
			}
			bothCount(t, s)
		},
	},
	{
		Name:   "forgotten-items-are-gone",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.Forget",
		Look:   conform.Anywhere, // the message names the limiter, and mostly a line
		Rule:   "A limiter keeps no entry for an item that was forgotten; a bucket and the queue keep nothing of any item.",
		Why:    "Pod names do not come back. A controller that keeps a few bytes for each of them runs out of memory after some weeks.",
		Hint: []string{
			"Is the count set to 0, or is the item taken out of the map?",
		},
		Source: `client-go util/workqueue/rate_limiting_queue.go: "Remember to call Forget!"`,
		Contract: []string{
			"The limiter then keeps nothing of item, no matter how many items have failed",
			"leaves all others alone, and keeps nothing of item",
			"NumRequeues itself counts nothing and keeps nothing",
			"a bucket knows no items, and keeps nothing of any",
			"Forget tells every limiter to forget item, and keeps nothing of item",
			"The queue itself keeps nothing of an item",
			"No goroutine and no timer of theirs outlives a call",
		},
		Alone: true,
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { nothingRuns(t, open()) })
			s := open()
			for _, l := range []struct {
				name    string
				limiter Limiter
				forgets bool
				of      []batch
			}{
				{"The exponential limiter", s.Exponential(time.Second, time.Hour), true, manyItems},
				{"The fast-slow limiter", s.FastSlow(time.Second, time.Hour, 3), true, manyItems},
				{"The bucket", s.Bucket(1, 10), false, manyItems},
				{"The bucket, whose Forget was called,", s.Bucket(1, 10), true, longItems},
				{"The limiter of limiters", s.MaxOf(s.Exponential(time.Second, time.Hour), s.FastSlow(1, 2, 3)), true, manyItems},
			} {
				remembersNothing(t, l.name, l.limiter, l.forgets, l.of)
			}
			queueRemembersNothing(t, s)
		},
	},
	{
		Name:   "concurrent-failures-all-count",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Look: []string{
			"ItemExponentialFailureRateLimiter.When", "ItemFastSlowRateLimiter.When", "MaxOfRateLimiter.When", "ItemExponentialFailureRateLimiter.Forget",
			"ItemExponentialFailureRateLimiter.NumRequeues",
		},
		Rule: "Any number of goroutines may use one limiter: no failure is lost, and there is no data race.",
		Why:  "All workers of a controller share one limiter. When the API server goes away, they all fail in the same millisecond.",
		Hint: []string{
			"Between your read of the count and your write, another goroutine can do both.",
			"Hold one lock around both, in When, Forget and NumRequeues alike.",
		},
		Source: "client-go util/workqueue/default_rate_limiters.go: failuresLock (no test of client-go defends it)",
		Contract: []string{
			"All of them may be used from many goroutines at once",
			"NumRequeues returns how many failures of item were counted since it was last forgotten: 0 for an item never seen",
			"answers fastDelay for the first maxFastAttempts failures of an item and slowDelay for every later one",
			"When asks every limiter exactly once, whatever the others answered, and returns the longest wait",
			"leaves all others alone",
			"Items do not affect each other",
			"Forget treats item as if it had never failed, leaves all others alone, and keeps nothing of item",
			"No goroutine and no timer of theirs outlives a call",
		},
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
					counts(t, l, "shared", workers*tries, "so often it has failed, in several goroutines at once")
					counts(t, l, name(0), 0, "it was forgotten last")
				}
			})
			failTogether(t, open())
			askTogether(t, open())
			comeAndGo(t, open())
			forgetTogether(t, open())
		},
	},
}

// failsVeryOften counts further than a small integer can, which the history would be too long for. The exponential
// limiter counts less far: one that doubles anew for every answer is right, and takes longer each time.
func failsVeryOften(t *conform.T, s Subject) {
	for i, l := range []Limiter{s.Exponential(time.Millisecond, time.Hour), s.FastSlow(time.Millisecond, time.Hour, 3)} {
		last, failures := time.Duration(0), []int{10_000, 70_000}[i]
		for n := range failures {
			now := l.When("one")
			t.Require(now >= last, "The wait fell at failure %d, from %v to %v.", n+1, last, now)
			last = now
		}
		t.Note("When(\"one\") %d times", failures)
		counts(t, l, "one", failures, "so often it has failed")
		forget(t.Actor, l, "one")
		counts(t, l, "one", 0, "it was forgotten, however often it had failed")
	}
}

// firstToWait says which of the next items is the first that waits longer than 5 ms, after 101 that did not.
func firstToWait(l Limiter) string {
	for i := 102; i <= 1200; i++ {
		if wait := l.When("item-" + strconv.Itoa(i)); wait > 5*time.Millisecond {
			return fmt.Sprintf("The first that waits longer than 5ms is item %d, and it waits %v.", i, wait)
		}
	}
	return "Of 1200 items none waits longer than 5ms."
}

// failTogether lets two goroutines fail on one item at the same moment, again and again with
// another item: what one step of two does wrong shows in one round of many.
func failTogether(t *conform.T, s Subject) {
	const rounds, base = 500, 3
	fastSlow, exponential := s.FastSlow(1, 2, 1), s.Exponential(base, time.Hour)
	var meet [rounds]func()
	for round := range meet {
		meet[round] = probe.Together(2)
	}
	var fs, exp [2][rounds]time.Duration
	t.Note("two goroutines fail on the same item at the same moment, %d times", rounds)
	for who := range 2 {
		t.Go(name(who), func(*conform.Actor) {
			for round, together := range meet {
				item := strconv.Itoa(round)
				together()
				fs[who][round], exp[who][round] = fastSlow.When(item), exponential.When(item)
			}
		})
	}
	t.Join()
	for round := range rounds {
		one, two := fs[0][round], fs[1][round]
		t.Require(one+two == 1+2, "The fast-slow limiter lets an item be tried fast once, after 1ns, and then after 2ns. It failed twice at the same moment, and waits %v and %v.", one, two)
		one, two = exp[0][round], exp[1][round]
		t.Require(one+two == base+2*base, "The exponential limiter was asked for an item that failed twice at the same moment. It should wait 3ns and 6ns, and waits %v and %v.", one, two)
	}
}

// forgetTogether has one goroutine forget an item while another fails on it. The failure comes before Forget, and is
// forgotten with the others, or it is the first one after it.
func forgetTogether(t *conform.T, s Subject) {
	const rounds, before = 1500, 3
	for _, l := range []Limiter{s.Exponential(1, time.Hour), s.FastSlow(1, 1<<before, before)} {
		t.Note("one goroutine fails on an item that has failed %d times, while another forgets it; %d times", before, rounds)
		var meet [rounds]func()
		for round := range meet {
			meet[round] = probe.Together(2)
			for range before {
				l.When(strconv.Itoa(round))
			}
		}
		var waited [rounds]time.Duration
		t.Go("fails", func(*conform.Actor) {
			for round, together := range meet {
				item := strconv.Itoa(round)
				together()
				waited[round] = l.When(item)
			}
		})
		t.Go("forgets", func(*conform.Actor) {
			for round, together := range meet {
				item := strconv.Itoa(round)
				together()
				l.Forget(item)
			}
		})
		t.Join()
		for round, wait := range waited {
			n := l.NumRequeues(strconv.Itoa(round))
			first, last := wait == 1 && n == 1, wait == 1<<before && n == 0
			t.Require(first || last, "An item that has failed %d times failed once more while another goroutine forgot it. When returned %v, and NumRequeues is now %d. "+
				"If Forget came first, these are 1ns and 1, and else %v and 0: Forget is one step.", before, wait, n, time.Duration(1<<before))
		}
	}
}

// askTogether has two goroutines ask a limiter of limiters at the same moment, for items whose waits differ.
func askTogether(t *conform.T, s Subject) {
	const rounds = 200
	says := map[string]time.Duration{name(0): time.Second, name(1): time.Hour}
	yields := func(string, int) time.Duration { runtime.Gosched(); return 0 } // the other one may come in between
	l := s.MaxOf(fake.NewLimiter(yields), fake.NewLimiter(func(item string, _ int) time.Duration { return says[item] }), fake.NewLimiter(yields))
	var meet [rounds]func()
	for round := range meet {
		meet[round] = probe.Together(2)
	}
	t.Note("two goroutines ask a limiter of three limiters at the same moment, %d times: one for %s and one for %s", rounds, name(0), name(1))
	var got [2][rounds]time.Duration
	for who := range 2 {
		t.Go(name(who), func(*conform.Actor) {
			for round, together := range meet {
				together()
				got[who][round] = l.When(name(who))
			}
		})
	}
	t.Join()
	for who := range 2 {
		for _, wait := range got[who] {
			t.Require(wait == says[name(who)], "The longest wait that a limiter says for %s is %v, and When returned %v while it was asked for another item.", name(who), says[name(who)], wait)
		}
	}
}

// comeAndGo has one goroutine fail on many items that it then forgets, while another fails on one that stays.
func comeAndGo(t *conform.T, s Subject) {
	const rounds, items, stays = 40, 250, 20_000
	for _, l := range []Limiter{s.Exponential(1, time.Hour), s.FastSlow(1, 2, 10)} {
		t.Note("%d times, %d items fail and are forgotten; meanwhile another goroutine fails on “stays” %d times", rounds, items, stays)
		t.Go("comes and goes", func(*conform.Actor) {
			for range rounds {
				for i := range items {
					l.When(strconv.Itoa(i))
				}
				for i := range items {
					item := strconv.Itoa(i)
					l.Forget(item)
					n := l.NumRequeues(item)
					if n == 0 {
						continue
					}
					t.Errorf("Forget of an item has returned, while another goroutine failed on another item, and NumRequeues of the forgotten item is %d. It should be 0: when Forget returns, the limiter keeps nothing of the item.", n)
					return
				}
			}
		})
		t.Go("stays", func(*conform.Actor) {
			for i := range stays {
				l.When("stays")
				n := l.NumRequeues("stays")
				if n == i+1 {
					continue
				}
				t.Errorf("An item has failed %s, while another goroutine failed on other items and forgot them, and NumRequeues of it is %d. It should be %d, whoever else uses the limiter: items do not affect each other.", conform.Count(i+1, "time"), n, i+1)
				return
			}
		})
		t.Join()
		counts(t, l, "stays", stays, "so often it has failed, while others were forgotten")
		counts(t, l, "0", 0, "it was forgotten last")
	}
}

// partOfTwo has a limiter of limiters that is part of two others.
func partOfTwo(t *conform.T, s Subject) {
	all := []*fake.Limiter[string]{fake.Always[string](1), fake.Always[string](2), fake.Always[string](3), fake.Always[string](4), fake.Always[string](5)}
	shared := s.MaxOf(append(make([]Limiter, 0, 8), all[0], all[1], all[2])...) // a slice with room for more
	one, other := s.MaxOf(shared, all[3]), s.MaxOf(shared, all[4])
	t.Note("a limiter of limiters 1, 2 and 3 is part of two others: of one with limiter 4, and of one with limiter 5")
	waits(t, one, "one", 4, "its limiters 1 to 4 say 1ns, 2ns, 3ns and 4ns, limiter 5 belongs to another one, and the strictest")
	waits(t, other, "one", 5, "limiters 1, 2, 3 and 5 say 1ns, 2ns, 3ns and 5ns, and the strictest")
	for i, want := range []int{2, 2, 2, 1, 1} {
		t.Require(all[i].Asked() == want, "Both were asked once, and limiter %d was asked %s. It should be %d: each asks every limiter of its own exactly once.", i+1, conform.Count(all[i].Asked(), "time"), want)
	}
	ofOneSlice(t, s)
}

// ofOneSlice makes two limiters of one slice: one of its beginning, and one of all of it.
func ofOneSlice(t *conform.T, s Subject) {
	parts := []*fake.Limiter[string]{fake.Always[string](1), fake.Always[string](2)}
	all := []Limiter{parts[0], parts[1]}
	s.MaxOf(all[:1]...)
	l := s.MaxOf(all...)
	t.Note("all := []RateLimiter{limiter 1, limiter 2}; NewMaxOfRateLimiter(all[:1]...), then NewMaxOfRateLimiter(all...), which is asked")
	when(t.Actor, l, "one")
	for i, p := range parts {
		t.Require(p.Asked() == 1, "NewMaxOfRateLimiter was called with all[:1] and then with all, a slice of limiters 1 and 2. When of the second one was called once, and limiter %d was asked %s: nobody writes to the slice, or behind its end.", i+1, conform.Count(p.Asked(), "time"))
	}
}

// bothCount looks for failures that one part of the default limiter does not hear of, and for tokens
// that Forget gives back.
func bothCount(t *conform.T, s Subject) {
	l := s.Default()
	for range 100 {
		l.When("one")
	}
	t.Note("a new limiter: When(\"one\") 100 times")
	waitsAbout(t, l, "two", 100*time.Millisecond, "100 failures of one item have taken the burst of 100, at ten a second, and the first failure of another item")
	counts(t, l, "one", 100, "so often it has failed")
	counts(t, l, "two", 1, "so often it has failed")
	forget(t.Actor, l, "one")
	forget(t.Actor, l, "two")
	waitsAbout(t, l, "two", 200*time.Millisecond, "Forget gives no token back, and the next failure, the second after the burst of 100, at ten a second,")
	time.Sleep(time.Minute)
	waits(t, l, "two", 10*time.Millisecond, "a minute later the bucket is full, the item has failed once since Forget, when it waited for a token, and its second failure")
}

// queueRemembersNothing has a queue meet items: over limiters of the subject, over one that lets all items go at once, and
// after ShutDown.
func queueRemembersNothing(t *conform.T, s Subject) {
	on := func(limiter Limiter) asked { return asked{s.Queue(limiter, &tally{Plain: queues.NewPlain(t)})} }
	remembersNothing(t, "The queue", on(s.Exponential(time.Second, time.Hour)), true, manyItems)
	remembersNothing(t, "The queue over a bucket", on(s.Bucket(1, 10)), false, manyItems) // which knows no items, so nobody has to call Forget
	atOnce, down := on(new(noWait)), on(new(noWait))
	remembersNothing(t, "The queue, whose limiter lets all items go at once,", atOnce, false, longItems)
	down.ShutDown()
	remembersNothing(t, "The queue, which is shut down,", down, false, longItems)
}

// noWait is a limiter that keeps nothing, and lets all items go at once.
type noWait time.Duration

func (w *noWait) When(string) time.Duration { *w = -1 - *w; return time.Duration(*w) } // -1ns, 0, -1ns, and so on
func (w *noWait) NumRequeues(string) int    { return 0 }
func (w *noWait) Forget(string)             {}

// batch are items that fail: how many, how long their names are at least, and how often each fails, if it is not the usual number.
type batch struct{ items, size, tries int }

// An item so long that it is seen by itself is the first of all, another is the last, and a third one fails very often.
var (
	manyItems = []batch{{items: 1, size: 1 << 20}, {items: 1 << 7, size: 8 << 10}, {items: 1 << 12, size: 1}, {1, 1 << 17, 300}, {items: 1, size: 1 << 20}}
	longItems = []batch{{items: 1 << 7, size: 8 << 10}, {items: 1, size: 1 << 20}}
)

// remembersNothing has a limiter meet items that it should know nothing of in the end. They are weighed together, because
// each look at the heap takes as long as a thousand calls.
func remembersNothing(t *conform.T, name string, l Limiter, forgets bool, of []batch) {
	const most = 1 << 16 // 16 bytes for each of the short ones
	items := 0
	before := probe.Heap()
	for _, b := range of {
		items += b.items
		meets(l, forgets, b)
	}
	kept := probe.Growth(before, most)
	if kept >= most {
		left := probe.Kept("labs/12-rate-limiting-queue", func() { meets(l, forgets, batch{items: 1 << 12, size: 2}) })
		if left != "" {
			left = fmt.Sprintf(" Of another %d there are left: %s.", 1<<12, left)
		} else {
			left = fmt.Sprintf(" Another %d short ones left nothing behind, so it may hold one item alone, or one that has failed very often. %s.", 1<<12, unusual(of))
		}
		t.Fatalf("%s still holds %d KiB for %s that it should know nothing of.%s", name, kept>>10, conform.Count(items, "item"), left)
	}
	wait := when(t.Actor, l, "one more")
	t.Require(wait > 0, "%s lets an item go at once that it should make wait.", name)
}

// unusual says which items of a batch are seen by themselves.
func unusual(of []batch) string {
	var each []string
	for i, b := range of {
		often := ""
		if b.tries > 0 {
			often = fmt.Sprintf(", which failed %d times", b.tries)
		}
		if b.items == 1 {
			each = append(each, fmt.Sprintf("%s was a string of %d KiB%s", map[bool]string{true: "the first", false: "a later one"}[i == 0], b.size>>10, often))
		}
	}
	return "Of the items, " + strings.Join(each, "; ")
}

// nothingRuns looks for goroutines that the calls of a limiter have started.
func nothingRuns(t *conform.T, s Subject) {
	for _, l := range []struct {
		name    string
		limiter Limiter
	}{
		{"the exponential limiter", s.Exponential(time.Second, time.Hour)},
		{"the fast-slow limiter", s.FastSlow(time.Second, time.Hour, 3)},
		{"the bucket", s.Bucket(1, 10)},
		{"the limiter of limiters", s.MaxOf(fake.Always[string](time.Second), fake.Always[string](time.Hour))},
	} {
		meets(l.limiter, true, batch{items: 10, size: 1})
		t.Note("calls of When, Forget and NumRequeues of %s, all of which have returned", l.name)
		t.Wait()
		n := t.Waiting()
		t.Require(n == 0, "All calls of %s have returned, and of the goroutines that they have started %d still wait: no goroutine of a limiter outlives a call.", l.name, n)
	}
}

// asked is a queue as a limiter: its AddRateLimited asks the one below.
type asked struct{ Queue }

func (q asked) When(item string) time.Duration {
	q.AddRateLimited(item)
	return time.Second
}

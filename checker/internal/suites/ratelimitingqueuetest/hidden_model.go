package ratelimitingqueuetest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
)

var modelCases = []conform.Case[Subject]{
	{
		Name:   "limiters-against-a-model",
		Points: 5,
		Func:   "ItemExponentialFailureRateLimiter.When",
		Look:   []string{"the When of the limiter that differs from the model", "its Forget"},
		Rule:   "Whatever fails or is forgotten, in any order and at any time, every answer is that of a limiter written in the plainest way.",
		Why:    "A controller meets orders of events that nobody thought of while writing the examples.",
		Hint: []string{
			"This is the shortest failing history that was found. Work out its last line by hand: the count of the item, or the balance of the bucket.",
		},
		Source: "the contract of this lab, by way of pgregory.net/rapid",
		Contract: []string{
			"baseDelay*2ⁿ, where n is how many failures were counted before this one, so n is 0 the first time; or maxDelay where that is less",
			"answers fastDelay for the first maxFastAttempts failures of an item and slowDelay for every later one",
			"of many calls at one moment on an empty bucket, the k-th returns k/qps seconds",
			"NumRequeues returns how many failures of item were counted since it was last forgotten",
			"Items do not affect each other",
			"leaves all others alone",
			"Any value of T may be an item",
			"neither time nor other items make a limiter forget",
		},
		Check: func(t *conform.T, open func() Subject) {
			daysPass(t, open())
			checkItemModel(t, open)
			checkBucketModel(t, open)
			manyFail(t, open())
			oneStays(t, open())
			forgottenInTurn(t, open())
			looksAlike(t, open())
			looksDifferent(t, open())
		},
	},
}

// counter is a per-item limiter in the plainest way: a list of everything that
// happened, counted again for every answer.
type counter struct {
	failed []string
	wait   func(before int) time.Duration
}

func (c *counter) num(item string) (n int) {
	for _, f := range c.failed {
		if f == item {
			n++
		}
	}
	return n
}

func (c *counter) forget(item string) {
	c.failed = slices.DeleteFunc(c.failed, func(f string) bool { return f == item })
}

// pair is a limiter of the subject beside its model.
type pair struct {
	limiter Limiter
	model   *counter
}

func exponentialPair(rt *rapid.T, s Subject) pair {
	base := time.Duration(rapid.Int64Range(1, 5000).Draw(rt, "base")) * time.Microsecond
	most := time.Duration(rapid.Int64Range(1, 200_000).Draw(rt, "most")) * time.Microsecond
	return pair{s.Exponential(base, most), &counter{wait: func(before int) time.Duration {
		wait := base
		for range before {
			wait = min(2*wait, most)
		}
		return min(wait, most)
	}}}
}

func fastSlowPair(rt *rapid.T, s Subject) pair {
	attempts := rapid.IntRange(-1, 4).Draw(rt, "attempts")
	return pair{s.FastSlow(time.Millisecond, time.Second, attempts), &counter{wait: func(before int) time.Duration {
		if before < attempts {
			return time.Millisecond
		}
		return time.Second
	}}}
}

// checkItemModel drives two per-item limiters, alone or as one limiter of both.
func checkItemModel(t *conform.T, open func() Subject) {
	model.Check(t, 200, func(rt *rapid.T, t *conform.T) {
		s := open()
		pairs := []pair{exponentialPair(rt, s), fastSlowPair(rt, s)}
		whole := s.MaxOf(pairs[0].limiter, pairs[1].limiter)
		items := rapid.SampledFrom([]string{"a", "b", ""})
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			item := items.Draw(rt, "item")
			switch rapid.SampledFrom([]string{"fail", "fail", "fail alone", "forget", "count"}).Draw(rt, "step") {
			case "fail":
				want := time.Duration(0)
				for _, p := range pairs {
					want = max(want, p.model.wait(p.model.num(item)))
					p.model.failed = append(p.model.failed, item)
				}
				waits(t, whole, item, want, "by the stricter of both limiters it")
			case "fail alone":
				p := rapid.SampledFrom(pairs).Draw(rt, "limiter")
				want := p.model.wait(p.model.num(item))
				p.model.failed = append(p.model.failed, item)
				waits(t, p.limiter, item, want, "by this limiter alone it")
			case "forget":
				for _, p := range pairs {
					p.model.forget(item)
				}
				forget(t.Actor, whole, item)
				for _, of := range []string{"a", "b", ""} {
					why := fmt.Sprintf("so often it has failed, and only %q was forgotten just now", item)
					if of == item {
						why = "it was forgotten just now"
					}
					eachCounts(t, pairs, of, why)
				}
			case "count":
				eachCounts(t, pairs, item, "so often it has failed since it was last forgotten")
				want := max(pairs[0].model.num(item), pairs[1].model.num(item))
				counts(t, whole, item, want, "that is the larger number of both limiters, which are right about it by themselves")
			}
		}
	})
}

// eachCounts requires that each limiter by itself has the number of its model.
func eachCounts(t *conform.T, pairs []pair, item, why string) {
	for i, p := range pairs {
		want := p.model.num(item)
		if p.limiter.NumRequeues(item) != want {
			counts(t, p.limiter, item, want, why+". The "+[]string{"exponential", "fast-slow"}[i]+" limiter alone was asked")
		}
	}
}

// checkBucketModel drives a bucket whose tokens are a whole number of nanoseconds
// apart, so that the model can do without fractions.
func checkBucketModel(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		model.Check(t, 150, func(rt *rapid.T, t *conform.T) {
			qps := rapid.SampledFrom([]float64{0.5, 1, 2, 2.5, 10, 100, 1000}).Draw(rt, "qps")
			burst := rapid.IntRange(1, 5).Draw(rt, "burst")
			every := time.Duration(float64(time.Second) / qps)
			l := open().Bucket(qps, burst)
			t.Note("Bucket(%v, %d)", qps, burst)
			full := every * time.Duration(burst)
			credit, last := full, t.Elapsed() // what has come in and was not taken, in time
			for range rapid.IntRange(1, 25).Draw(rt, "steps") {
				if rapid.Bool().Draw(rt, "pause") {
					time.Sleep(every * time.Duration(rapid.IntRange(1, 40).Draw(rt, "tenths")) / 10)
				}
				now := t.Elapsed()
				credit = min(credit+now-last, full)
				last = now
				item := rapid.SampledFrom([]string{"a", "b", ""}).Draw(rt, "item")
				holds := strconv.FormatFloat(float64(credit)/float64(every), 'g', 6, 64)
				credit -= every
				waitsAbout(t, l, item, max(0, -credit), fmt.Sprintf("at %v a second and a burst of %d, a call when the balance is %s, before it takes its token,", qps, burst, holds))
			}
		})
	})
}

// meets has a batch of items fail, and be forgotten once or twice if forgets says so, each before the next. The limiter is asked
// for their numbers before and after. Their names are of that size, and a few digits.
func meets(l Limiter, forgets bool, of batch) {
	for i := range of.items {
		times := 2 - i%2
		if of.tries > 0 {
			times = 1 // what goes wrong with the first Forget, the second one may repair
		}
		tries := cmp.Or(of.tries, 12+i/2%2*2) // more than are fast; from 1s on, the 12th wait is not yet 1h, and the 14th would be longer
		item := strings.Repeat("x", of.size) + strconv.Itoa(i)
		l.NumRequeues(item)
		for range tries {
			l.When(item)
		}
		if forgets {
			for range times {
				l.Forget(item)
			}
		}
		l.NumRequeues(item)
	}
}

// daysPass has an item fail, and fail again long after.
func daysPass(t *conform.T, s Subject) {
	t.Virtual(func(t *conform.T) {
		for _, l := range []Limiter{s.Exponential(time.Second, time.Hour), s.FastSlow(time.Second, 4*time.Second, 2)} {
			when(t.Actor, l, "one")
			when(t.Actor, l, "one")
			when(t.Actor, l, "once")
			time.Sleep(10_000 * time.Hour)
			when(t.Actor, l, "other")
			forget(t.Actor, l, "other")
			counts(t, l, "once", 1, "so often it has failed, and 10,000 hours later another item failed and was forgotten: neither makes a limiter forget this one")
			counts(t, l, "one", 2, "so often it has failed, and nobody has forgotten it in 10,000 hours: time does not make a limiter forget")
			waits(t, l, "one", 4*time.Second, "failure 3, 10,000 hours after the first two,")
			forget(t.Actor, l, "one")
			waits(t, l, "one", time.Second, "the first failure after Forget")
			time.Sleep(10_000 * time.Hour)
			counts(t, l, "one", 1, "so often it has failed since Forget, 10,000 hours ago")
		}
	})
}

// manyFail has more items fail than one history could show, and few enough for a limiter that is slow.
func manyFail(t *conform.T, s Subject) {
	const items = 3000
	for _, l := range []Limiter{s.Exponential(time.Second, time.Hour), s.FastSlow(time.Second, time.Hour, 1)} {
		for i := range items {
			l.When(strconv.Itoa(i))
		}
		t.Note("When(\"0\"), When(\"1\"), and so on: %d items fail once each", items)
		for i := range items {
			n := l.NumRequeues(strconv.Itoa(i))
			t.Require(n == 1, "%d items have failed once each, and NumRequeues(\"%d\") is %d: items do not affect each other, however many there are.", items, i, n)
		}
		for i := 1; i < items; i++ {
			l.Forget(strconv.Itoa(i))
		}
		t.Note("Forget of all items but \"0\"")
		counts(t, l, "0", 1, "so often it has failed, and only other items were forgotten")
	}
}

// oneStays has items fail twice, few or many, and all but one forgotten.
func oneStays(t *conform.T, s Subject) {
	const most = 130
	for others := range most {
		for _, l := range []Limiter{s.Exponential(time.Second, time.Hour), s.FastSlow(time.Second, time.Hour, 1)} {
			for range 2 {
				for i := range others + 1 {
					l.When(strconv.Itoa(i))
				}
			}
			for i := range others {
				l.Forget(strconv.Itoa(i))
			}
			n := l.NumRequeues(strconv.Itoa(others))
			t.Require(n == 2, "An item failed twice, as did %s that were then forgotten, and NumRequeues of the one that stays is %d. It should be 2: Forget leaves all others alone.", conform.Count(others, "other"), n)
		}
	}
}

// forgottenInTurn has item 1 fail once, item 2 twice, and so on, and forgets one after the other.
func forgottenInTurn(t *conform.T, s Subject) {
	const items = 40
	for _, l := range []Limiter{s.Exponential(time.Second, time.Hour), s.FastSlow(time.Second, time.Hour, 7)} {
		left := t.Rand().Perm(items)
		for _, i := range left {
			for range i + 1 {
				l.When(strconv.Itoa(i))
			}
		}
		t.Note("item 0 fails once, item 1 twice, and so on, %d items in all; they are forgotten in the order %v", items, left)
		for ; len(left) > 0; left = left[1:] {
			for _, i := range left {
				n := l.NumRequeues(strconv.Itoa(i))
				t.Require(n == i+1, "NumRequeues(\"%d\") is %d when %d of %d items are forgotten. It should be %d, as often as it has failed: Forget leaves all others alone.", i, n, items-len(left), items, i+1)
			}
			l.Forget(strconv.Itoa(left[0]))
		}
	}
}

// looksAlike has items fail that are printed alike, or begin alike, and are not equal.
func looksAlike(t *conform.T, s Subject) {
	type pair struct{ a, b string }
	items := []any{
		pair{"x y", "z"}, pair{"x", "y z"}, &pair{"x", "y"}, &pair{"x", "y"},
		nil, 0, int64(0), 0.0, "", "0", " 0", "<nil>", "a", "A", "a ", strings.Repeat("a", 300) + "b", strings.Repeat("a", 300) + "c",
	}
	for _, l := range s.OfAny() {
		for _, item := range items {
			l.When(item)
		}
		t.Note("%d items of different types, which look alike, fail once each", len(items))
		for _, item := range items {
			n := l.NumRequeues(item)
			t.Require(n == 1, "%d items have failed once each, and NumRequeues of the %T %s is %d. It should be 1: what == tells apart are different items, however much they look alike.", len(items), item, shown(item), n)
		}
		for _, item := range items {
			n := l.NumRequeues(item)
			t.Require(n == 1, "Other items were forgotten, and NumRequeues of the %T %s is %d. It should be 1: what == tells apart are different items, however much they look alike.", item, shown(item), n)
			l.Forget(item)
		}
	}
}

// shown is an item as messages have it.
func shown(item any) string {
	if s, ok := item.(string); ok {
		return fmt.Sprintf("%.10q", s)
	}
	return fmt.Sprint(item)
}

// looksDifferent has items fail that are printed in different ways, and are equal.
func looksDifferent(t *conform.T, s Subject) {
	type object struct{ version int }
	for range 4 { // where a limiter looks for an item may be chance
		for _, l := range s.OfAny() {
			l.When(0.0)
			l.When(math.Copysign(0, -1))
			n := l.NumRequeues(0.0)
			t.Require(n == 2, "When was called for the float64 0 and for -0, and NumRequeues of 0 is %d. It should be 2: these two are equal, and so they are one item.", n)
			o := &object{1}
			l.When(o)
			o.version = 2
			n = l.NumRequeues(o)
			t.Require(n == 1, "When was called for a pointer, what it points to was changed, and NumRequeues of the pointer is %d. It should be 1: it still is the same pointer, and so the same item.", n)
		}
	}
}

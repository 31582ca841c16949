package ratelimitingqueuetest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// callsBack is a limiter that calls the limiter that asks it, as one that counts for all does, before it answers.
func callsBack(says time.Duration, whole func() Limiter) *hookedLimiter {
	return &hookedLimiter{fake.Always[string](says), unlessUnderWay(func(string) {
		whole().When("other")
		whole().NumRequeues("other")
		whole().Forget("other")
	})}
}

// partsCallBack has a limiter of limiters of which one calls back.
func partsCallBack(t *conform.T, s Subject) {
	var l Limiter
	l = s.MaxOf(callsBack(time.Second, func() Limiter { return l }), fake.Always[string](time.Minute))
	t.Note("a limiter of two limiters, one of which calls When, NumRequeues and Forget of it, for another item, before it returns")
	waits(t, l, "one", time.Minute, "the limiters say 1s and 1m, and the strictest")
	counts(t, l, "one", 1, "so often it has failed")
	forget(t.Actor, l, "one")
	counts(t, l, "one", 0, "it was forgotten")
}

// partsAskAgain has a limiter of limiters of which one asks again about the same item before it returns.
func partsAskAgain(t *conform.T, s Subject) {
	var l Limiter
	parts := []*fake.Limiter[string]{fake.Always[string](time.Second), fake.Always[string](time.Minute)}
	hook := unlessUnderWay(func(method string) {
		below := t.Named("limiter 1")
		asked, forgot := parts[1].Asked(), len(parts[1].Forgotten())
		when(below, l, "one")
		t.Assert(parts[1].Asked() > asked, "While %s of one limiter was under way, When of the limiter of limiters was called for the same item, and returned without a call of When of another limiter: each call asks every limiter.", method)
		n, largest := requeues(below, l, "one"), max(parts[0].NumRequeues("one"), parts[1].NumRequeues("one"))
		t.Assert(n == largest || method != "NumRequeues", "While NumRequeues of one limiter was under way, the item failed, and NumRequeues of the limiter of limiters is %d. The largest number of its limiters is %d.", n, largest)
		forget(below, l, "one")
		t.Assert(len(parts[1].Forgotten()) > forgot, "While %s of one limiter was under way, Forget of the limiter of limiters was called for the same item, and returned without telling another limiter: each Forget tells every limiter.", method)
	})
	l = s.MaxOf(hookedLimiter{parts[0], hook}, parts[1])
	t.Note("a limiter of limiters 1 and 2, of which 1 calls When, NumRequeues and Forget of it, for the same item, before it returns")
	when(t.Actor, l, "one")
	requeues(t.Actor, l, "one")
	forget(t.Actor, l, "one")
}

// incomparable is a limiter that panics if it is compared, or made the key of a map.
type incomparable struct {
	*fake.Limiter[string]
	_ []string
}

// nested has limiters of limiters inside of others, two of them without limiters.
func nested(t *conform.T, s Subject) {
	parts := []*fake.Limiter[string]{fake.Always[string](1), fake.Always[string](2), fake.Always[string](3), fake.Always[string](2)}
	l := s.MaxOf(s.MaxOf(), s.MaxOf(parts[0], s.MaxOf(), s.MaxOf(parts[1])), incomparable{parts[2], nil}, incomparable{parts[3], nil})
	t.Note("a limiter of limiters: one without limiters; one of limiter 1, of one without limiters, and of one of limiter 2; and limiters 3 and 4, whose type == cannot compare")
	waits(t, l, "one", 3, "limiters 1 to 4 say 1ns, 2ns, 3ns and 2ns, and the strictest")
	counts(t, l, "one", 1, "so often it has failed")
	forget(t.Actor, l, "one")
	for i, p := range parts {
		asked, forgot := p.Asked(), slices.Compact(p.Forgotten())
		t.Require(asked == 1, "When was called once, and When of limiter %d was called %s: each limiter is asked exactly once, inside of whichever others.", i+1, conform.Count(asked, "time"))
		t.Require(slices.Equal(forgot, []string{"one"}), "Forget was called for \"one\", and Forget of limiter %d was called for %s: every limiter is told, inside of whichever others.", i+1, quoted(forgot))
	}
}

// twoAndOne has a limiter of two limiters beside a third one, before it and after it.
func twoAndOne(t *conform.T, s Subject) {
	for turn := range 6 {
		numbers := [][]int{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}}[turn]
		for _, first := range []bool{true, false} {
			parts := []*fake.Limiter[string]{fake.Always[string](1), fake.Always[string](2), fake.Always[string](3)}
			of := make([]Limiter, len(parts))
			for i, p := range parts {
				of[i] = numbered{p, numbers[i]}
			}
			l, where := s.MaxOf(of[2], s.MaxOf(of[0], of[1])), "after"
			if first {
				l, where = s.MaxOf(s.MaxOf(of[0], of[1]), of[2]), "before"
			}
			t.Note("a limiter of two: one of limiters 1 and 2, %s limiter 3", where)
			when(t.Actor, l, "one")
			for i, p := range parts {
				t.Require(p.Asked() == 1, "A limiter of two has a limiter of limiters 1 and 2 %s limiter 3. When was called once, and limiter %d was asked %s: each limiter is asked exactly once.",
					where, i+1, conform.Count(p.Asked(), "time"))
			}
			counts(t, l, "one", 3, fmt.Sprintf("limiters 1 to 3 give %d, %d and %d, limiters 1 and 2 are inside of a limiter of their own %s limiter 3, and the largest of the three numbers is the answer",
				numbers[0], numbers[1], numbers[2], where))
		}
	}
}

// alikeIn has two limiters of the same type in a limiter of limiters: fast-slow ones of the same numbers, and buckets.
func alikeIn(t *conform.T, s Subject) {
	two := []Limiter{s.FastSlow(time.Second, time.Hour, 3), s.FastSlow(time.Second, time.Hour, 3)}
	l := s.MaxOf(two...)
	t.Note("a limiter of two fast-slow limiters with the same numbers")
	waits(t, l, "one", time.Second, "both limiters say 1s, and the strictest")
	for i, p := range two {
		counts(t, p, "one", 1, fmt.Sprintf("of two fast-slow limiters with the same numbers, number %d was asked by itself: a limiter of both was asked once, and each of them counts that", i+1))
	}
	t.Virtual(func(t *conform.T) {
		for _, every := range [][]time.Duration{{1, 1}, {1, 60}, {60, 1}} {
			two := []Limiter{s.Bucket(1/float64(every[0]), 1), s.Bucket(1/float64(every[1]), 1)}
			l := s.MaxOf(s.MaxOf(fake.Always[string](0), two[0], two[1], fake.Always[string](0)))
			t.Note("a limiter of a limiter of four: two that say 0s, and two buckets, with a burst of 1 and a token every %ds and every %ds", every[0], every[1])
			waits(t, l, "one", 0, "both buckets are full, and the first call")
			waitsAbout(t, l, "one", max(every[0], every[1])*time.Second, "both buckets are empty, and the second call, at the stricter of them,")
			for i, p := range two {
				waitsAbout(t, p, "one", 2*every[i]*time.Second, fmt.Sprintf("both calls took a token of both buckets, and the next one, of bucket %d alone,", i+1))
			}
		}
	})
}

// alike has limiters with the same numbers, which are asked very often.
func alike(t *conform.T, s Subject, strictest time.Duration) {
	const often = 300
	strict, parts := fake.Always[string](strictest), []*fake.Limiter[string]{fake.Always[string](0), fake.Always[string](0), fake.Always[string](time.Second), fake.Always[string](time.Second)}
	l := s.MaxOf(strict, parts[0], parts[1], parts[2], parts[3])
	for range often {
		l.When("one")
	}
	t.Note("a limiter of limiters that say %v, 0s, 0s, 1s and 1s: When(\"one\") %d times", strictest, often)
	for i, p := range parts {
		t.Require(p.Asked() == often, "When was called %d times, and When of limiter %d of 5 was called %d times: every limiter is asked, whatever it and the others say.", often, i+2, p.Asked())
	}
	same := []Limiter{s.Bucket(1, often), s.Exponential(time.Second, time.Hour), s.Exponential(time.Second, time.Hour), s.Bucket(1, often), s.FastSlow(0, 1, 2)}
	when(t.Actor, same[1], "two")
	counts(t, same[2], "two", 0, "only another exponential limiter, which was made with the same numbers, has counted a failure of it, and each is a limiter of its own")
	for _, in := range [][]Limiter{same, {same[4], same[3], same[2], same[1], same[0]}} {
		l = s.MaxOf(in...)
		t.Note("a limiter of two buckets, two exponential limiters that double from 1s, and a fast-slow limiter")
		waits(t, l, "one", time.Second, "the strictest")
		waits(t, l, "one", 2*time.Second, "the strictest, the second time,")
		for _, p := range append(same[1:3:3], same[4]) {
			counts(t, p, "one", 2, "When of the limiter of limiters was called twice, and each limiter has to count that, even if another has the same type and numbers")
		}
		counts(t, l, "one", 2, "so often it has failed")
		forget(t.Actor, l, "one")
		for _, p := range same {
			counts(t, p, "one", 0, "all of them were told to forget it")
		}
	}
}

// sleepy is a limiter that takes a minute to say 1h, to any number of callers at once.
type sleepy struct {
	*fake.Limiter[string]
}

func (l sleepy) When(item string) time.Duration {
	time.Sleep(time.Minute)
	return l.Limiter.When(item)
}

// atOneMoment asks a limiter of limiters twice at the same moment, and one of them takes its time.
func atOneMoment(t *conform.T, s Subject) {
	t.Virtual(func(t *conform.T) {
		parts := []*fake.Limiter[string]{fake.Doubling[string](time.Second), fake.Always[string](time.Second)}
		l := s.MaxOf(parts[0], parts[1])
		for i := range 5 {
			waits(t, l, "one", time.Second<<i, "of two limiters one doubles from 1s, the other always says 1s, and the strictest")
		}
		forget(t.Actor, l, "one")
		for i, p := range parts {
			t.Require(p.Asked() == 5, "When was called 5 times at one moment, and When of limiter %d of 2 was called %d times: each call is a failure.", i+1, p.Asked())
			t.Require(len(p.Forgotten()) > 0, "Forget has returned, and limiter %d of 2 has not been told.", i+1)
		}
		slow := sleepy{fake.Always[string](time.Hour)}
		l = s.MaxOf(fake.Always[string](time.Second), slow)
		t.Note("a limiter of two limiters: one says 1s, and one takes 1m to say 1h")
		const callers = 40
		began := t.Elapsed()
		for who := range callers {
			t.Go(name(who), func(a *conform.Actor) {
				got := when(a, l, "one")
				t.Assert(got == time.Hour, "The limiters say 1s and, a minute later, 1h, and When returned %v.", got)
			})
		}
		t.Join()
		t.Require(slow.Asked() == callers, "When was called by %d goroutines at once, for the same item, and one of the limiters was asked %s: each call is a failure.", callers, conform.Count(slow.Asked(), "time"))
		took := t.Elapsed() - began
		t.Require(took == time.Minute, "When was called by %d goroutines at once, one of the limiters takes 1m to answer any number of callers, and the last When returned after %v: none waits for another, because no method holds a lock while it calls a limiter.", callers, took)
	})
}

// manyParts has a limiter of very many limiters, and one of a single limiter whose number is always 0.
func manyParts(t *conform.T, s Subject) {
	const many = 70
	parts, all := make([]*fake.Limiter[string], many), make([]Limiter, many)
	for i := range parts {
		parts[i] = fake.Always[string](time.Duration(i) * time.Second)
		all[i] = parts[i]
	}
	l := s.MaxOf(all...)
	t.Note("a limiter of %d limiters, which say 0s, 1s, 2s, and so on", many)
	waits(t, l, "one", (many-1)*time.Second, fmt.Sprintf("of %d limiters the last is the strictest, and an item", many))
	forget(t.Actor, l, "one")
	for i, p := range parts {
		t.Require(p.Asked() == 1, "When was called once, and limiter %d of %d was asked %s: When asks every limiter exactly once.", i+1, many, conform.Count(p.Asked(), "time"))
		t.Require(len(p.Forgotten()) > 0, "Forget has returned, and limiter %d of %d was not called: Forget tells every limiter.", i+1, many)
	}
	single := fake.Always[string](time.Second)
	forget(t.Actor, s.MaxOf(countless{single}), "one")
	t.Require(len(single.Forgotten()) > 0, "Forget has returned, and the only limiter, whose number is always 0 like a bucket's, was not called: Forget tells every limiter, whatever its number.")
	for _, number := range []int{1 << 8, 1 << 16, 1 << 32, math.MaxInt} {
		l := s.MaxOf(numbered{single, 7}, numbered{single, number}, numbered{single, 0})
		counts(t, l, "one", number, "the limiters give it 7, this number and 0")
		counts(t, s.MaxOf(l), "one", number, "the limiters inside of its only limiter give it 7, this number and 0")
	}
}

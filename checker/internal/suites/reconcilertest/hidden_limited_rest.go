package reconcilertest

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// limitsOnlyAdds looks at what a source behind RateLimited has to do with beside Add: other calls of
// the queue, errors, and ctx.
func limitsOnlyAdds(t *conform.T, open func() Subject) {
	for _, priorities := range []bool{false, true} {
		t.Virtual(func(t *conform.T) { passesOn(t, open(), priorities) })
		t.Virtual(func(t *conform.T) { tellsWhatFails(t, open(), priorities) })
		t.Virtual(func(t *conform.T) { endsWithItsCtx(t, open(), priorities) })
	}
	t.Virtual(func(t *conform.T) { handsOut(t, open()) })
	t.Virtual(func(t *conform.T) { limitsEachOfSeveral(t, open()) })
}

// passesOn has a source ask for the failures of a request, which the suite has counted, and forget them. It
// also adds another one, which has failed, too, and a third by AddRateLimited.
func passesOn(t *conform.T, s Subject, priorities bool) {
	q := newQueue(t, func(int) time.Duration { return time.Hour })
	q.limits.When(named("a"))
	q.limits.When(named("a"))
	const many = 20
	for range many {
		q.limits.When(named("b"))
	}
	t.Note("counts two failures of %v, and %d of %v", named("a"), many, named("b"))
	failures := -1
	inner := (&source{onStart: func(_ context.Context, queue Queue) error {
		failures = queue.NumRequeues(named("a"))
		queue.Forget(named("a"))
		queue.Add(named("b"))
		queue.AddRateLimited(named("c"))
		return nil
	}}).shown(t)
	begin(t, made(t, "RateLimited(a source)", func() Source { return s.RateLimited(inner) }), t.Context(), q.as(priorities))
	t.Require(failures == 2, "The rate limiter of %s counted two failures of shop/a. A source behind RateLimited called NumRequeues, and got %d. Every other call of the source on the queue is passed on as it is.", kindOfQueue(priorities), failures)
	left := q.limits.NumRequeues(named("a"))
	t.Require(left == 0, "A source behind RateLimited called Forget for shop/a, and the rate limiter of %s still counts %d of its failures. Every other call of the source on the queue is passed on as it is.", kindOfQueue(priorities), left)
	counted := q.limits.NumRequeues(named("b"))
	t.Require(counted == many+1, "The rate limiter of %s counted %d failures of shop/b. A source behind RateLimited added it, which counts as one more, and now it counts %d.", kindOfQueue(priorities), many, counted)
	counted = q.limits.NumRequeues(named("c"))
	t.Require(counted == 1, "A source behind RateLimited, in front of %s, called AddRateLimited for shop/c, and the rate limiter counts %d of its failures. One was due: every other call of the source on the queue is passed on as it is.", kindOfQueue(priorities), counted)
	q.contains("A source behind RateLimited called Add and AddRateLimited, and the rate limiter says 1h, which is not over.")
}

// handsOut has a source look at what is in the queue, as one may that keeps an eye on the work there is. It puts back
// what it takes out.
func handsOut(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	q.Put(-7, named("a"))
	var got kit.Request
	knows, priority, length, ending := false, 0, 0, false
	inner := (&source{onStart: func(_ context.Context, queue Queue) error {
		length, ending = queue.Len(), queue.ShuttingDown()
		p, ok := queue.(kit.PriorityQueue[kit.Request])
		if knows = ok; ok {
			got, priority, _ = p.GetWithPriority()
			p.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, got)
			p.Done(got)
		}
		return nil
	}}).shown(t)
	begin(t, made(t, "RateLimited(a source)", func() Source { return s.RateLimited(inner) }), t.Context(), q)
	t.Require(knows, "A rate limited source got a queue without priorities in front of one that has them.")
	t.Require(got == named("a") && priority == -7, "The queue held shop/a with priority -7. A source behind RateLimited called GetWithPriority, and got %v with priority %d. Every other call of the source on the queue is passed on as it is, priorities included.", got, priority)
	t.Require(length == 1 && !ending, "The queue held shop/a, and was not shut down. A source behind RateLimited called Len and ShuttingDown, and got %d and %t. 1 and false were due: every other call of the source on the queue is passed on as it is.", length, ending)
	q.contains("A source behind RateLimited took shop/a out, with priority -7, and put it back with that.", "shop/a with priority -7")
}

// tellsWhatFails has one source that does not start, and one that does not sync.
func tellsWhatFails(t *conform.T, s Subject, priorities bool) {
	q := newQueue(t, nil)
	outer := made(t, "RateLimited(a source whose Start fails)", func() Source { return s.RateLimited(failing(t, 0, errBoom)) })
	err := conform.Do(t.Actor, func() error { return outer.Start(t.Context(), q.as(priorities)) }, "the source's Start(ctx, queue)")
	t.Require(errors.Is(err, errBoom), "The Start of a source returned %q, and that of the rate limited one, in front of %s, returned %s. RateLimited returns a Source that does what the given one does.", errBoom, kindOfQueue(priorities), conform.Said(err))

	inner := (&source{onSync: func(context.Context) error { return errBoom }}).shown(t)
	outer = made(t, "RateLimited(a source whose WaitForSync fails)", func() Source { return s.RateLimited(inner) })
	begin(t, outer, t.Context(), q.as(priorities))
	err = conform.Do(t.Actor, func() error { return outer.WaitForSync(t.Context()) }, "WaitForSync(ctx)")
	t.Require(errors.Is(err, errBoom), "The WaitForSync of a source returned %q, and that of the rate limited one, in front of %s, returned %s. RateLimited returns a Source that does what the given one does.", errBoom, kindOfQueue(priorities), conform.Said(err))
}

// endsWithItsCtx has a source that never syncs: what ends it is ctx.
func endsWithItsCtx(t *conform.T, s Subject, priorities bool) {
	q := newQueue(t, nil)
	inner := (&source{onSync: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}).shown(t)
	outer := made(t, "RateLimited(a source that never syncs)", func() Source { return s.RateLimited(inner) })
	ctx, cancel := t.WithCancel(t.Context(), "the ctx of Start")
	defer cancel()
	begin(t, outer, ctx, q.as(priorities))
	syncing, enough := t.WithTimeout(t.Context(), time.Minute, "the ctx of WaitForSync")
	defer enough()
	before := t.Elapsed()
	_ = conform.Do(t.Actor, func() error { return outer.WaitForSync(syncing) }, "WaitForSync(ctx)")
	t.OnTime("A source never synced, and the WaitForSync of the rate limited one returned", t.Elapsed()-before, time.Minute, "its ctx was done")
	_, got := inner.starts()
	t.Require(got.Err() == nil, "The ctx of the Start of a rate limited source is not done, and the one that the source behind it got is.")
	cancel()
	t.Wait()
	t.Require(got.Err() != nil, "The ctx of the Start of a rate limited source, in front of %s, is done, and the one that the source behind it got is not: it goes on for ever.", kindOfQueue(priorities))
}

// limitsEachOfSeveral has a source add several requests with one call, and one for a time that is over.
func limitsEachOfSeveral(t *conform.T, s Subject) {
	q := newQueue(t, func(int) time.Duration { return time.Second })
	low, caller := -100, t.Named("source")
	inner := &source{onStart: func(_ context.Context, queue Queue) error {
		q, ok := queue.(kit.PriorityQueue[kit.Request])
		if t.Assert(ok, "A rate limited source got a queue without priorities in front of one that has them.") {
			caller.Do(func() { q.AddWithOpts(kit.AddOpts{}, named("a"), named("b")) }, "calls AddWithOpts({}, shop/a, shop/b)")
			caller.Do(func() { q.AddWithOpts(kit.AddOpts{After: -time.Minute, Priority: &low}, named("c")) }, "calls AddWithOpts({After: -1m0s, Priority: -100}, shop/c)")
			caller.Do(func() { q.AddWithOpts(kit.AddOpts{After: time.Minute, Priority: &low}, named("d"), named("e")) }, "calls AddWithOpts({After: 1m0s, Priority: -100}, shop/d, shop/e)")
			caller.Do(func() { q.AddWithOpts(kit.AddOpts{Priority: &low}, named("f"), named("g")) }, "calls AddWithOpts({Priority: -100}, shop/f, shop/g)")
			caller.Do(func() { q.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &low}, named("h"), named("i")) }, "calls AddWithOpts({RateLimited: true, Priority: -100}, shop/h, shop/i)")
		}
		return nil
	}}
	begin(t, made(t, "RateLimited(a source)", func() Source { return s.RateLimited(inner) }), t.Context(), q)
	added := "A source behind RateLimited called AddWithOpts({}, a, b), and four times AddWithOpts with priority -100: {After: -1m} for c, {After: 1m} for d and e, no more for f and g, and {RateLimited: true} for h and i. The rate limiter says 1s for each."
	q.contains(added + " That is not over.")
	time.Sleep(time.Second)
	t.Wait()
	q.contains(added+" That is over.", "shop/a", "shop/b", "shop/c with priority -100", "shop/f with priority -100", "shop/g with priority -100", "shop/h with priority -100", "shop/i with priority -100")
	time.Sleep(time.Minute - time.Second)
	t.Wait()
	q.contains(added+" 1m is over.", "shop/d with priority -100", "shop/e with priority -100")
	t.Require(q.limits.Asked() == 7, "%s It was asked %d times, and 7 were due: for all but d and e.", added, q.limits.Asked())
}

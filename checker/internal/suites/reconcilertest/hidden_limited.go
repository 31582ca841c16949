package reconcilertest

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// spreads has five objects polled every ten seconds, by way of a rate limiter that lets
// one through each second, and by way of none.
func spreads(t *conform.T, s Subject) {
	i := newInformer(t)
	asked := poll(t, s, i, made(t, "For(informer)", func() Source { return s.For(i) }), "five objects came at once through For, and return RequeueAfter: 10s.", 1, 1, 1, 1, 1)
	t.Require(asked == 0, "Nothing has failed, no source is rate limited, and the rate limiter was asked %d times.", asked)

	i = newInformer(t)
	asked = poll(t, s, i, made(t, "RateLimited(For(informer))", func() Source { return s.RateLimited(s.For(i)) }),
		"five objects came at once through RateLimited(For), the rate limiter lets one through each second, and they return RequeueAfter: 10s, which stays as it is.", 2, 3, 4, 5, 6)
	t.Require(asked == 5, "Five events came through RateLimited, nothing has failed, and the rate limiter was asked %d times. It is asked once for each event.", asked)
}

// poll requires of five objects which come at once, a second after Start, that each is
// reconciled at a certain second, and every ten from then on. It says how often the rate limiter
// was asked.
func poll(t *conform.T, s Subject, i *informer, src Source, sentence string, first ...float64) (asked int) {
	events := 0
	q := newQueue(t, func(int) time.Duration { events++; return time.Duration(events) * time.Second })
	j := newJob(t, func(context.Context, string, int) (kit.Result, error) {
		return kit.Result{RequeueAfter: 10 * time.Second}, nil
	})
	names, begun := []string{"a", "b", "c", "d", "e"}, t.Elapsed()
	for n, name := range names {
		at := seconds(first[n], first[n]+10, first[n]+20)
		for k := range at {
			at[k] += begun
		}
		j.expect(name, at...)
	}
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 5})
	c.watches(t, src)
	i.sync()
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	for _, name := range names {
		i.add(pod(name, 1), false)
	}
	time.Sleep(29 * time.Second)
	run.end()
	for _, name := range names {
		j.asExpected(t, name, fmt.Sprintf("After %v %s", begun+time.Second, sentence))
	}
	return q.limits.Asked()
}

func limitsByPriority(t *conform.T, s Subject) {
	i, q := newInformer(t), newQueue(t, func(int) time.Duration { return time.Second })
	stop := listening(t, made(t, "RateLimited(For(informer))", func() Source { return s.RateLimited(s.For(i)) }), i, q)
	defer stop()
	i.add(pod("listed", 1), true)
	i.add(pod("new", 1), false)
	q.contains("Objects came through RateLimited, and the rate limiter says 1s, which is not over.")
	time.Sleep(time.Second)
	t.Wait()
	q.contains("A listed object and a new one came through RateLimited to a queue with priorities, when the rate limiter allowed it.", "shop/listed with priority -100", "shop/new")

	caller, low := t.Named("handler"), -100
	handler := func(queue Queue) kit.ResourceEventHandler[*kit.Pod] {
		return kit.ResourceEventHandlerFuncs[*kit.Pod]{AddFunc: func(p *kit.Pod, _ bool) {
			caller.Do(func() { queue.AddAfter(named(p.Name), time.Minute) }, "calls AddAfter(%v, 1m0s)", named(p.Name))
			if q, ok := queue.(kit.PriorityQueue[kit.Request]); t.Assert(ok, "A rate limited source got a queue without priorities in front of one that has them.") {
				caller.Do(func() { q.AddWithOpts(kit.AddOpts{After: time.Minute}, named(p.Name+"-too")) }, "calls AddWithOpts({After: 1m0s}, %v)", named(p.Name+"-too"))
				caller.Do(func() { q.AddWithOpts(kit.AddOpts{After: time.Minute, Priority: &low}, named(p.Name+"-low")) }, "calls AddWithOpts({After: 1m0s, Priority: -100}, %v)", named(p.Name+"-low"))
			}
		}}
	}
	i = newInformer(t)
	later := listening(t, made(t, "RateLimited(Kind(informer, a handler that adds later))", func() Source { return s.RateLimited(s.Kind(i, handler)) }), i, q)
	defer later()
	i.add(pod("later", 1), false)
	time.Sleep(time.Minute - time.Second)
	t.Wait()
	q.contains("A handler behind RateLimited added three requests for 1m later, and 59s are over.")
	time.Sleep(time.Second)
	t.Wait()
	q.contains("A handler behind RateLimited added three requests for 1m later, one with priority -100, and 1m is over.", "shop/later-too", "shop/later-low with priority -100", "shop/later")
	limitsAdd(t, s, q)
}

// limitsAdd has a handler that calls Add, adds another request for the shortest time later, and
// two more with both options.
func limitsAdd(t *conform.T, s Subject, q queue) {
	caller, low := t.Named("handler"), -100
	handler := func(queue Queue) kit.ResourceEventHandler[*kit.Pod] {
		return kit.ResourceEventHandlerFuncs[*kit.Pod]{AddFunc: func(p *kit.Pod, _ bool) {
			caller.Do(func() { queue.AddAfter(named(p.Name+"-next"), time.Nanosecond) }, "calls AddAfter(%v, 1ns)", named(p.Name+"-next"))
			caller.Do(func() { queue.Add(named(p.Name)) }, "calls Add(%v)", named(p.Name))
			if q, ok := queue.(kit.PriorityQueue[kit.Request]); t.Assert(ok, "A rate limited source got a queue without priorities in front of one that has them.") {
				caller.Do(func() { q.AddWithOpts(kit.AddOpts{After: time.Nanosecond}, named(p.Name+"-soon")) }, "calls AddWithOpts({After: 1ns}, %v)", named(p.Name+"-soon"))
				caller.Do(func() {
					q.AddWithOpts(kit.AddOpts{After: time.Second / 4, RateLimited: true}, named(p.Name+"-both"))
				}, "calls AddWithOpts({After: 250ms, RateLimited: true}, %v)", named(p.Name+"-both"))
				caller.Do(func() {
					q.AddWithOpts(kit.AddOpts{After: time.Minute, RateLimited: true, Priority: &low}, named(p.Name+"-limited"))
				}, "calls AddWithOpts({After: 1m0s, RateLimited: true, Priority: -100}, %v)", named(p.Name+"-limited"))
			}
		}}
	}
	i := newInformer(t)
	now := listening(t, made(t, "RateLimited(Kind(informer, a handler that adds at once))", func() Source { return s.RateLimited(s.Kind(i, handler)) }), i, q)
	defer now()
	i.add(pod("now", 1), false)
	time.Sleep(time.Second / 2)
	t.Wait()
	q.contains("A handler behind RateLimited called Add for one request, for which the rate limiter says 1s, and added more: two for 1ns later, and one for 250ms later or when the rate limiter allows it, whichever is earlier. 500ms are over.", "shop/now-soon", "shop/now-next", "shop/now-both")
	time.Sleep(time.Second / 2)
	t.Wait()
	q.contains("A handler behind RateLimited called Add for a request, and AddWithOpts for another one, with priority -100: 1m later or when the rate limiter allows it, whichever is earlier. The 1s that the rate limiter says is over.", "shop/now", "shop/now-limited with priority -100")
}

// limitsBeforeItSyncs adds requests in the Start of a source behind RateLimited, and looks at the rate
// limiter on the line after WaitForSync.
func limitsBeforeItSyncs(t *conform.T, s Subject) {
	for range 20 {
		inner := &source{onStart: func(_ context.Context, q Queue) error {
			q.Add(named("a"))
			if q, ok := q.(kit.PriorityQueue[kit.Request]); ok {
				q.AddWithOpts(kit.AddOpts{}, named("b"))
				q.AddWithOpts(kit.AddOpts{RateLimited: true}, named("c"))
			}
			return nil
		}}
		q := newQueue(t, func(int) time.Duration { return time.Second })
		outer := s.RateLimited(inner)
		started, err := outer.Start(t.Context(), q), outer.WaitForSync(t.Context())
		asked := q.limits.Asked()
		t.Require(started == nil && err == nil, "The Start of a source behind RateLimited returned %s, and its WaitForSync %s: nil was due.", conform.Said(started), conform.Said(err))
		t.Require(asked == 3, "A source added three requests in its Start, by Add and by AddWithOpts, without RateLimited and with it. Start and WaitForSync of the rate limited one have returned, and the rate limiter was asked for %d of the three: WaitForSync blocks until all has been added.", asked)
	}
	t.Note("20 sources behind RateLimited have added three requests each in Start, and have synced")
}

// limitsNothingElse has a source behind RateLimited that takes its time to sync, and adds a request
// later to a queue without priorities.
func limitsNothingElse(t *conform.T, s Subject) {
	synced := make(chan struct{})
	inner := (&source{
		onStart: func(_ context.Context, q Queue) error { q.AddAfter(named("later"), time.Minute); return nil },
		onSync:  func(ctx context.Context) error { return either(ctx, synced) },
	}).shown(t)
	q := newQueue(t, func(int) time.Duration { return time.Second })
	outer := made(t, "RateLimited(a source)", func() Source { return s.RateLimited(inner) })
	begin(t, outer, t.Context(), q.plain())
	done := make(chan error, 1)
	t.Go("sync", func(a *conform.Actor) {
		done <- conform.Do(a, func() error { return outer.WaitForSync(t.Context()) }, "WaitForSync(ctx)")
	})
	time.Sleep(30 * time.Second)
	early := len(done) > 0
	close(synced)
	t.Require(!early, "The WaitForSync of a source has not returned, and that of the rate limited one has: workers would begin before all was added.")
	t.Wait()
	t.Require(len(done) == 1, "The WaitForSync of a source has returned, and that of the rate limited one has not.")
	q.contains("A source behind RateLimited called AddAfter(…, 1m0s), and 30s are over.")
	time.Sleep(30 * time.Second)
	t.Wait()
	q.contains("A source behind RateLimited called AddAfter(…, 1m0s), and 1m is over.", "shop/later")
}

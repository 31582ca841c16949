package reconcilertest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// failsAmongMany has forty sources that never sync, and in their midst one whose WaitForSync fails, so that it is
// neither among the first nor among the last to be waited for. Start may return as soon as that has failed.
func failsAmongMany(t *conform.T, s Subject) {
	const many = 40
	asked := make(chan struct{}, many)
	sources := make([]Source, 0, many+1)
	for range many {
		sources = append(sources, &source{onSync: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }})
	}
	bad := (&source{onSync: func(context.Context) error { asked <- struct{}{}; return errBoom }}).shown(t)
	sources = slices.Insert(sources, many/2, Source(bad))
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: time.Minute})
	c.watches(t, sources...)
	run := c.run(t)
	defer run.cancel()
	time.Sleep(30 * time.Second)
	t.Require(len(asked) > 0, "%d sources never sync, CacheSyncTimeout is 1m, and after 30s WaitForSync of one more was not called. A source that does not sync does not keep the others from being waited for.", many)
	time.Sleep(31 * time.Second)
	t.Require(run.returned(), "%d sources never sync, the WaitForSync of one more failed, CacheSyncTimeout is 1m, and 1s after that Start has not returned.", many)
	t.Require(errors.Is(run.err, errBoom), "%d sources never sync, the WaitForSync of one more returned %q, and Start returned %s, which does not wrap it.", many, errBoom, conform.Said(run.err))
}

// givesUpSoon has the shortest of times for a source that never syncs.
func givesUpSoon(t *conform.T, s Subject) {
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: 50 * time.Millisecond})
	c.watches(t, adding(t, 24*time.Hour))
	run := c.run(t)
	defer run.cancel()
	time.Sleep(500 * time.Millisecond)
	t.Require(run.returned(), "A source needs 24h to sync, CacheSyncTimeout is 50ms, and after 500ms Start has not returned.")
	t.Require(run.err != nil, "A source has not synced within CacheSyncTimeout, and Start returned nil. An error was due.")
}

// leavesNobodyBehind has a Start that fails, with a ctx that is never done: the bubble finds a goroutine that
// waits for that.
func leavesNobodyBehind(t *conform.T, s Subject) {
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain(), CacheSyncTimeout: 10 * time.Second})
	c.watches(t, adding(t, 0, "a"), failing(t, time.Second, errBoom))
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	run := c.runIn(t, ctx, cancel)
	time.Sleep(time.Minute)
	t.Require(run.returned(), "The Start of a source failed, CacheSyncTimeout is 10s, and after 1m Start has not returned.")
	t.Require(run.err != nil, "The Start of a source failed, and Start returned nil. An error was due.")
	t.Note("looks for goroutines that are left. The ctx of Start is not done")
}

// startsAgainAfterAnEarlyEnd calls Start a second time when ctx of the first was done while it waited for a
// source. Whether the second begins anew is left open.
func startsAgainAfterAnEarlyEnd(t *conform.T, s Subject) {
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: newQueue(t, nil).plain()})
	c.watches(t, adding(t, time.Hour, "a"))
	first := c.run(t)
	defer first.cancel()
	time.Sleep(time.Second)
	first.end()
	second := c.run(t)
	time.Sleep(time.Second)
	second.cancel()
	time.Sleep(time.Minute)
	t.Require(second.returned(), "The ctx of a Start was done while a source was syncing, and it returned. Start was called again, the ctx of that was cancelled 1s later, and 1m after that it has not returned.")
}

// watchesFromWithin has a reconcile and OnError call Watch: what there is to watch may be found out by them.
func watchesFromWithin(t *conform.T, s Subject) {
	inReconcile, inOnError := (&source{}).shown(t), (&source{}).shown(t)
	var c client
	j := newJob(t, func(_ context.Context, _ string, nth int) (kit.Result, error) {
		if nth > 1 {
			return kit.Result{}, nil
		}
		_ = c.as(t.Named("reconciler")).watch(inReconcile)
		return kit.Result{}, errBoom
	})
	onError := func(kit.Request, error) { _ = c.as(t.Named("OnError")).watch(inOnError) }
	q := newQueue(t, doubling(time.Second))
	c = control(t, s, Options{Reconciler: j, Queue: q.plain(), OnError: onError})
	run := c.run(t)
	defer run.cancel()
	q.put("a")
	time.Sleep(time.Minute)
	one, _ := inReconcile.starts()
	two, _ := inOnError.starts()
	t.Require(one == 1 && two == 1, "The Reconciler called Watch with a source, and then OnError did with another one. The first was started %s, and the second %s. Once each was due.", conform.Count(one, "time"), conform.Count(two, "time"))
	run.end()
}

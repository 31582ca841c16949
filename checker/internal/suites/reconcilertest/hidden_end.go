package reconcilertest

import (
	"context"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ending is the part of the suite about how a controller ends.
var ending = []conform.Case[Subject]{
	{
		Name:   "stop-lets-reconciles-finish",
		Points: 5,
		Func:   "Controller.Start",
		Rule:   "When ctx is done, so is the ctx of the reconciles under way, and Start waits for them: it returns after the last one, and no further reconcile begins.",
		Why:    "A reconcile that is cut off after it has created a pod, and before it has recorded that, leaves a pod that nobody knows of.",
		Hint: []string{
			"What wakes a worker that waits in Get? And what waits for one that is in Reconcile?",
			"Use ShutDown for the first and a sync.WaitGroup for the second, in this order.",
			"The ctx of Reconcile is derived from that of Start, so it ends with it.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: Controller.Start",
		Contract: []string{
			"ShutDown ignores all further Adds and lets Get hand out what is left.",
			"When ctx is done, Start shuts the queue down, once, waits for the reconciles that are under way, which may take their time, and returns nil. Their ctx is done, too.",
			"When Start has returned, Reconciler is not called again",
			"The ctx of their Start is done when ctx is",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { finishes(t, open()) },
	},
	{
		Name:   "stop-when-idle",
		Points: 2,
		Func:   "Controller.Start",
		Rule:   "A controller without work, or whose sources have not synced yet, ends soon after its ctx is done; the queue is shut down once.",
		Why:    "A rollout waits for the old process to end. A process that does not end is killed in the middle of its work.",
		Hint: []string{
			"Where are your workers while there is nothing to do? What makes them return?",
			"Get returns when the queue is shut down. And wait for sources with a ctx, too.",
		},
		Source: "the contract of this lab",
		Contract: []string{
			"When ctx is done, Start shuts the queue down, once, waits for the reconciles that are under way, which may take their time, and returns nil.",
			"If ctx is done while the sources sync, Start returns soon.",
		},
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) { stopsIdle(t, open()) })
			t.Virtual(func(t *conform.T) { stopsSyncing(t, open()) })
		},
	},
}

func finishes(t *conform.T, s Subject) {
	release := make(chan struct{})
	told := make(chan time.Duration, 1)
	q := newQueue(t, nil)
	j := newJob(t, func(ctx context.Context, name string, _ int) (kit.Result, error) {
		if name != "busy" {
			return kit.Result{}, nil
		}
		<-ctx.Done()
		told <- t.Elapsed()
		<-release
		return kit.Result{RequeueAfter: time.Second}, nil
	})
	c := control(t, s, Options{Reconciler: j, Queue: q.plain(), MaxConcurrentReconciles: 3})
	src := adding(0)
	require.NoError(t, c.watch(src), "Watch failed before Start for no reason.")
	run := c.run(t)
	defer run.cancel()
	q.put("idle", "busy")
	time.Sleep(10 * time.Second)
	early := run.returned()
	run.cancel()
	time.Sleep(time.Minute)
	late := run.returned()
	_, sourceCtx := src.starts()
	stopped := sourceCtx != nil && sourceCtx.Err() != nil
	q.put("too-late")
	close(release)
	time.Sleep(time.Minute)
	require.False(t, early, "Start returned although its ctx was not done.")
	require.NotEmpty(t, told, "The ctx of Start was done, and a minute later that of a reconcile under way was not.")
	require.Equal(t, 10*time.Second, <-told, "The ctx of Start was done after 10 seconds, and that of a reconcile under way at another time.")
	require.False(t, late, "Start returned while a request was still being reconciled.")
	require.True(t, stopped, "The ctx of Start was done, and a minute later that of a source's Start was not.")
	require.True(t, run.returned(), "The last reconcile has ended, and Start has not returned.")
	require.NoError(t, run.err, "Start stopped when its ctx was done, and returned an error for that.")
	require.Equal(t, 1, q.shutDowns(), "The queue was not shut down exactly once.")
	time.Sleep(time.Hour)
	require.Equal(t, 2, j.total(), "Something was reconciled after ctx was done.")
}

func stopsIdle(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	run := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain(), MaxConcurrentReconciles: 3}).run(t)
	defer run.cancel()
	time.Sleep(time.Minute)
	run.cancel()
	time.Sleep(time.Minute)
	ended := run.returned()
	shutDowns := q.shutDowns()
	if !ended {
		q.ShutDown() // so that this bubble can end
	}
	require.True(t, ended, "Nothing was being reconciled, and a minute after its ctx was done Start has not returned.")
	require.NoError(t, run.err, "Start stopped when its ctx was done, and returned an error for that.")
	require.Equal(t, 1, shutDowns, "The queue was not shut down exactly once.")
}

func stopsSyncing(t *conform.T, s Subject) {
	q := newQueue(t, nil)
	c := control(t, s, Options{Reconciler: taking(t, 0), Queue: q.plain(), CacheSyncTimeout: 24 * time.Hour})
	require.NoError(t, c.watch(adding(12*time.Hour, "a")), "Watch failed before Start for no reason.")
	run := c.run(t)
	defer run.cancel()
	time.Sleep(time.Minute)
	run.cancel()
	time.Sleep(time.Minute)
	require.True(t, run.returned(), "A source was syncing, and a minute after its ctx was done Start has not returned.")
	require.Equal(t, 1, q.shutDowns(), "The ctx was done while a source was syncing, and the queue was not shut down exactly once.")
}

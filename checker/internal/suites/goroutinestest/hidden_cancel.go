package goroutinestest

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

func cancelledBeforeStart(t *conform.T, open func() Subject) {
	s, limit := open(), t.Rand().IntN(9)
	var started atomic.Int32
	tasks := repeat(8, func(_ *conform.Actor, i int) (int, error) { started.Add(1); return i, nil })
	complete(t, s, limit, tasks)
	started.Store(0)

	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(errCause)
	late, end := context.WithDeadlineCause(t.Context(), time.Unix(0, 0), errCause)
	defer end()
	for _, n := range []int{8, 1} {
		for _, ctx := range []context.Context{cancelled, late} {
			got, err := gatherCtx(t, s, ctx, limit, tasks[:n]...)
			t.Require(started.Load() == 0, "The context had ended before Gather was called, and Gather started %d of %s and returned %s.", started.Load(), conform.Count(n, "task"), conform.Said(err))
			failed(t, got, err, ctx.Err(), "ctx.Err() of a context that had ended before (it started no task)")
		}
	}
	ownError(t, s, limit)
	_, err := run(t, s, cancelled, limit, []Task{nil})
	t.Require(err == context.Canceled, "The only task was nil, and ctx had ended before Gather was called. Gather returned %s, and should have returned ctx.Err(): a nil task fails when its turn comes, and no task has one here.", conform.Said(err))
}

// ownError has a ctx whose Err is an error of its own. Tasks may be started until its end has reached the derived context.
func ownError(t *conform.T, s Subject, limit int) {
	const n = 8
	own := &taskError{"the caller's context has ended"}
	ctx, end := conform.Foreign(t.Context(), own)
	t.Do(end, "ends ctx, whose type package context does not know")
	var ran atomic.Int32
	got, err := gatherCtx(t, s, ctx, limit, repeat(n, func(_ *conform.Actor, i int) (int, error) { ran.Add(1); return i, nil })...)
	if err == nil && ran.Load() == n {
		return
	}
	failed(t, got, err, own, "ctx.Err(), which is an error of that context's own type")
}

func cancelledWhileWaiting(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { endsWhileTasksWait(t, open()) })
	t.Virtual(func(t *conform.T) {
		s := open()
		for _, w := range ways(s) {
			failsAfterTheEnd(t, s, w)
		}
	})
	t.Virtual(func(t *conform.T) {
		s := open()
		for range rounds {
			endsInItsOwnWay(t, s)
		}
		for _, n := range []int{1, 2} {
			ctx, cancel := endsAfter(t, time.Second, context.Canceled, nil)
			defer cancel()
			quietly(t, s, ctx, 1, n, "ctx had ended", nil)
		}
	})
	t.Virtual(func(t *conform.T) { cancelledBeforeItsDeadline(t, open()) })
	t.Copies(func(t *conform.T) {
		s := open()
		for tried := 0; tried < rounds && !t.Failed(); tried++ {
			ctx, cancel := context.WithCancel(t.Context())
			more, got, err := oneByOne(t, s, ctx, func(a *conform.Actor) (int, error) { a.Do(cancel, "cancel()"); return 1, nil })
			cancel()
			t.Require(more.all() == 0, "The caller's context was cancelled, and of the tasks that waited for their turn Gather still started %d.", more.all())
			failed(t, got, err, context.Canceled, "ctx.Err() of a context that was cancelled while tasks waited (none of them was started)")
		}
	})
	stopsWithoutBound(t, open(), "The caller's context was cancelled", func(cancel context.CancelFunc) error { cancel(); return nil })
}

// endsWhileTasksWait has the deadline of ctx pass while some tasks run, deaf to it, and others wait.
func endsWhileTasksWait(t *conform.T, s Subject) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errCause)
	defer cancel()
	t.Ends(ctx)
	var started, ended atomic.Int32
	got, err := gatherCtx(t, s, ctx, 2, repeat(5, func(a *conform.Actor, i int) (int, error) {
		if started.Add(1) > 2 {
			a.Breaks("begins, and ctx has ended")
		}
		time.Sleep(long) // deaf to its context
		ended.Add(1)
		return i, nil
	})...)
	t.Require(ended.Load() == started.Load(), "The context ended, and Gather returned while %d tasks were still running: it waits for those under way.", started.Load()-ended.Load())
	t.Require(started.Load() <= 2, "The context ended after 1s, while two tasks ran and three waited for their turn, and Gather still started %d of the three.", started.Load()-2)
	failed(t, got, err, context.DeadlineExceeded, "ctx.Err() of a context that ended while tasks waited")
	t.Require(t.Elapsed() <= long, "The two tasks under way ended after %v, and Gather returned only after %v.", long, t.Elapsed())
}

// endsInItsOwnWay has a ctx of its own type end while tasks wait. Its end may reach the derived context a moment later, and
// tasks may be started until then.
func endsInItsOwnWay(t *conform.T, s Subject) {
	const n = 4
	own := &taskError{"the caller's context has ended"}
	ctx, end := conform.Foreign(t.Context(), own)
	var ran atomic.Int32
	got, err := gatherCtx(t, s, ctx, 1, repeat(n, func(a *conform.Actor, i int) (int, error) {
		if ran.Add(1) == 1 {
			a.Do(end, "ends ctx, whose type package context does not know")
		}
		return i, nil
	})...)
	t.Require(err != nil || ran.Load() == n, "ctx ended while tasks waited for their turn. Of %d tasks Gather ran %d, and it returned the results %v and no error: it returns the results of all tasks, or ctx.Err() if some were not started.",
		n, ran.Load(), got)
	if err != nil {
		failed(t, got, err, own, "ctx.Err(), which is an error of that context's own type")
	}
}

// cancelledBeforeItsDeadline has ctx cancelled while a task waits. Its deadline passes, too, before Gather returns.
func cancelledBeforeItsDeadline(t *conform.T, s Subject) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	got, err := gatherCtx(t, s, ctx, 1, inTurn(2, func(_ context.Context, a *conform.Actor, nth int) (int, error) {
		time.Sleep(time.Second)
		a.Do(cancel, "cancel()")
		time.Sleep(2 * time.Second)
		return nth, nil
	})...)
	failed(t, got, err, context.Canceled, "ctx.Err() of a context that was cancelled while a task waited, 1s before its deadline")
}

// cancelledByTheLast has the task that begins last cancel ctx, so long after it has begun.
func cancelledByTheLast(t *conform.T, s Subject, limit int, later time.Duration) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var begun atomic.Int32
	got, err := gatherCtx(t, s, ctx, limit, repeat(3, func(a *conform.Actor, i int) (int, error) {
		last := begun.Add(1) == 3
		time.Sleep(later)
		if last {
			a.Do(cancel, "cancel()")
		}
		time.Sleep(later)
		return i, nil
	})...)
	t.Require(err == nil, "Each task had been started before ctx was cancelled, and succeeded; Gather returned %s instead of their results.", conform.Said(err))
	requireAll(t, 3, got, err)
}

// cancelsAtOnce has the last of a few tasks cancel ctx as the first thing that it does. Whether the others have been
// started by then is open: Gather has the results of all, or returns ctx.Err().
func cancelsAtOnce(t *conform.T, s Subject, limit int) {
	const n = 3
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ran atomic.Int32
	got, err := gatherCtx(t, s, ctx, limit, repeat(n, func(a *conform.Actor, i int) (int, error) {
		ran.Add(1)
		if i == n-1 {
			a.Do(cancel, "cancel()")
		}
		return i, nil
	})...)
	if err != nil {
		failed(t, got, err, context.Canceled, "the results, or ctx.Err() of the context that the last task had cancelled")
		return
	}
	t.Require(ran.Load() == n, "The last of %d tasks cancelled ctx at once. Gather ran %d of the tasks, and returned the results %v and no error: it returns the results of all tasks, or ctx.Err() if some were not started.",
		n, ran.Load(), got)
	requireAll(t, n, got, err)
}

func lateCancelKeepsResults(t *conform.T, open func() Subject) {
	s := open()
	for _, limit := range []int{0, 3, 2, 1} {
		cancelledByTheLast(t, s, limit, time.Second)
		for range rounds {
			cancelledByTheLast(t, s, limit, 0)
		}
	}
	for _, limit := range []int{0, 3, 7} {
		for range 20 {
			cancelsAtOnce(t, s, limit)
		}
	}
	for _, limit := range []int{0, 2} {
		for _, how := range []error{context.DeadlineExceeded, context.Canceled} {
			whatTheyReturnDecides(t, s, limit, how)
			for _, w := range ways(s) {
				failsLate(t, s, limit, w, how)
			}
		}
	}
	for _, limit := range []int{0, 1} {
		for _, how := range []error{context.DeadlineExceeded, context.Canceled} {
			onlyTask(t, s, limit, how, ways(s)...)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	t.Ends(ctx)
	got, err := gatherCtx(t, s, ctx, 0, after(time.Second, 0, nil), after(3*time.Second, 1, nil))
	requireAll(t, 2, got, err)
}

// whatTheyReturnDecides has ctx end after 2s, by its deadline or by a cancel, when both tasks have been started.
func whatTheyReturnDecides(t *conform.T, s Subject, limit int, how error) {
	ended := func(first, second job, want error, name string) {
		ctx, cancel := endsAfter(t, 2*time.Second, how, nil)
		defer cancel()
		var began atomic.Int32
		counted := func(do job) job {
			return func(ctx context.Context, a *conform.Actor) (int, error) { began.Add(1); return do(ctx, a) }
		}
		got, err := gatherCtx(t, s, ctx, limit, counted(first), counted(second))
		t.Require(began.Load() == 2, "With limit %d two tasks run at once, and of the only two Gather had started %d when ctx ended, 2s later.", limit, began.Load())
		failed(t, got, err, want, name)
	}
	ended(after(time.Second, 0, errTask), after(3*time.Second, 1, nil), errTask,
		"the error of task 0, which had failed before ctx ended (it was 1s later, and each task had been started)")
	ended(after(3*time.Second, 0, nil), after(4*time.Second, 1, errTask), errTask,
		"the error of task 1 (each task had been started when ctx ended, so what they return decides)")
	ended(after(3*time.Second, 0, errTask), after(4*time.Second, 1, &taskError{"later"}), errTask,
		"the error of task 0, which failed first (each task had been started when ctx ended, so what they return decides)")
	stopped := fmt.Errorf("task 1 was stopped: %w", how)
	ended(after(0, 0, nil), after(3*time.Second, 1, stopped), stopped,
		"the error of task 1, which wraps its context's error (each task had been started when ctx ended, so what they return decides)")
	ended(after(0, 0, nil), patient, how,
		"the error of task 1, which was told to stop and returned its context's error (each task had been started when ctx ended, so what they return decides)")
}

// endsAfter makes a ctx that ends after d with the error how, by its deadline or because the caller cancels it.
// Its cause is how if cause is nil.
func endsAfter(t *conform.T, d time.Duration, how, cause error) (context.Context, context.CancelFunc) {
	if how == context.DeadlineExceeded {
		ctx, cancel := context.WithTimeoutCause(t.Context(), d, cause)
		t.Ends(ctx)
		return ctx, cancel
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	end := time.AfterFunc(d, func() { t.Do(func() { cancel(cause) }, "cancel()") })
	return ctx, func() { end.Stop(); cancel(nil) }
}

// diesLate has a task panic when ctx has ended and each task has been started.
func diesLate(t *conform.T, s Subject, limit int, cause error) {
	ctx, end := context.WithCancelCause(t.Context())
	cancel := func() { end(cause) }
	defer cancel()
	_, err := gatherCtx(t, s, ctx, limit, after(time.Second, 0, nil), func(_ context.Context, a *conform.Actor) (int, error) {
		time.Sleep(2 * time.Second)
		a.Do(cancel, "cancel()")
		return explode(a, "late")
	})
	_, _, ok := s.PanicOf(err)
	t.Require(ok, "Each task had been started when ctx ended, and then one panicked. Gather returned %s, which is no *PanicError: what the tasks return decides.", conform.Said(err))
}

// forNothing gives Gather no tasks, and a ctx that never ends.
func forNothing(t *conform.T, s Subject) {
	ctx, _ := conform.Foreign(t.Context(), nil)
	t.Note("ctx never ends: what waits for its end stays")
	_, err := gatherCtx(t, s, ctx, 2)
	t.Require(err == nil, "There were no tasks, and Gather returned %s.", conform.Said(err))
}

// leavesNothing calls Gather with a ctx that is like parent and never ends, so that what waits for its end stays.
func leavesNothing(t *conform.T, s Subject, parent context.Context) {
	ctx, _ := conform.Foreign(parent, nil)
	deadline := "has no deadline"
	if _, has := ctx.Deadline(); has {
		deadline = "has a distant deadline"
	}
	t.Note("ctx %s, and never ends: what waits for its end stays", deadline)
	_, _ = gatherCtx(t, s, ctx, 1, repeat(2, func(*conform.Actor, int) (int, error) { return 0, errTask })...)
	var given context.Context
	_, err := gatherCtx(t, s, ctx, 2,
		func(ctx context.Context, _ *conform.Actor) (int, error) { given = ctx; return 0, nil },
		func(context.Context, *conform.Actor) (int, error) { return 0, nil })
	t.Require(err == nil, "No task failed, and Gather returned %s.", conform.Said(err))
	t.Require(given != nil, "Gather returned without an error and did not run its tasks.")
	t.Require(given.Err() != nil, "Gather has returned, and the context that it gave to its tasks is not cancelled: its Err is nil.")
}

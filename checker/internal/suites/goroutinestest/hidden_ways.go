package goroutinestest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// way is a way in which a task fails: it returns err, or it panics if err is nil. All of them are the same to Gather.
type way struct{ err error }

// ways are errors that look like something else: the end of ctx, its cause, something to try again, a list of one. A panic is
// looked at where the lesson comes to panics.
func ways(s Subject) []way {
	inside := s.PanicError("inside")
	return []way{
		{errTask},
		{context.Canceled}, {fmt.Errorf("the task's own request: %w", context.Canceled)},
		{context.DeadlineExceeded}, {fmt.Errorf("the task's own request: %w", context.DeadlineExceeded)},
		{errCause}, {errors.Join(errTask)}, {timeout{}},
		{inside}, {fmt.Errorf("the task's own Gather: %w", inside)},
	}
}

// timeout is an error that says that it was one, and that another try may help.
type timeout struct{}

func (timeout) Error() string   { return "the request took too long" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// fail is what a task does that fails in this way.
func (w way) fail(a *conform.Actor) (int, error) {
	if w.err == nil {
		return explode(a, "nil map")
	}
	return 0, w.err
}

// String says in a sentence how the task failed.
func (w way) String() string {
	if w.err == nil {
		return "a panic"
	}
	return fmt.Sprintf("the %T “%v”", w.err, w.err)
}

// is reports whether err is that of a task which failed in this way.
func (w way) is(s Subject, err error) bool {
	if w.err == nil {
		_, _, ok := s.PanicOf(err)
		return ok
	}
	return err == w.err
}

// required requires that Gather returned the error of the task that failed in this way, which is what name says, and no results.
func (w way) required(t *conform.T, s Subject, got []int, err error, name string) {
	if w.err != nil {
		failed(t, got, err, w.err, name)
		return
	}
	t.Require(w.is(s, err), "Gather returned %s, and should have returned a *PanicError: %s.", conform.Said(err), name)
	t.Require(got == nil, "Gather returned an error and beside it the results %v, not nil.", got)
}

// heeds waits for the end of its context, for an hour at most. It is for bubbles: there a context that never ends is
// seen by the time, and not by a deadlock.
func heeds(ctx context.Context, a *conform.Actor) (int, error) {
	a.Do(func() {
		select {
		case <-ctx.Done():
		case <-time.After(time.Hour):
		}
	}, "waits until its context is cancelled, for an hour at most")
	return 0, ctx.Err()
}

// stopsTheRest has the task that begins first fail after 1s, in the way w. The second waits for the end of its context,
// and a third has no turn.
func stopsTheRest(t *conform.T, s Subject, ctx context.Context, limit, n int, w way) {
	called := t.Elapsed()
	var told atomic.Int64 // how long after the call the context of the second ended
	var calls [3]atomic.Int32
	var begun, further atomic.Int32
	got, err := gatherCtx(t, s, ctx, limit, repeatCtx(n, func(ctx context.Context, a *conform.Actor, i int) (int, error) {
		if calls[i].Add(1) > 1 {
			a.Breaks("is called once more")
			return i, nil
		}
		switch begun.Add(1) {
		case 1:
			time.Sleep(time.Second)
			return w.fail(a)
		case 2:
			_, err := heeds(ctx, a)
			told.Store(int64(t.Elapsed() - called))
			return i, err
		}
		further.Add(1)
		a.Breaks("begins, and a task has failed")
		return i, nil
	})...)
	for i := range calls {
		times := calls[i].Load()
		t.Require(times <= 1, "A task failed with %s, and Gather called task %d %d times: it calls each task at most once.", w, i, times)
	}
	waited := time.Duration(told.Load())
	t.Require(waited <= time.Second, "A task failed after 1s, with %s, and another one waited for the end of its context, for an hour at most. It had waited for %v then: the context is cancelled when a task fails, whatever its error is.", w, waited)
	t.Require(further.Load() == 0, "A task failed with %s, and Gather started another one that waited for its turn: after a task has failed no further task is started, whatever its error is.", w)
	w.required(t, s, got, err, "the error of the task that failed")
}

// startsNoMore has a task fail in each of the ways while a third one waits for its turn.
func startsNoMore(t *conform.T, s Subject) {
	for _, w := range append(ways(s), way{}) {
		stopsTheRest(t, s, t.Context(), 2, 3, w)
	}
	stopsTheRest(t, s, context.Background(), 2, 3, way{errTask})
}

// panicsLike has a panic in the places of other failures: before and after the end of ctx, and beside other tasks.
func panicsLike(t *conform.T, s Subject) {
	stopsTheRest(t, s, context.Background(), 0, 2, way{})
	failsBeforeTheEnd(t, s, way{}, context.DeadlineExceeded, nil)
	failsBeforeTheEnd(t, s, way{}, context.Canceled, errCause)
	failsAfterTheEnd(t, s, way{})
	for _, limit := range []int{0, 2} {
		for _, how := range []error{context.DeadlineExceeded, context.Canceled} {
			failsLate(t, s, limit, way{}, how)
			onlyTask(t, s, limit, how, way{})
		}
	}
}

// failsBeforeTheEnd has a task fail after 1s and ctx end after 2s, while another task runs and a third one waits.
func failsBeforeTheEnd(t *conform.T, s Subject, w way, how, cause error) {
	ctx, cancel := endsAfter(t, 2*time.Second, how, cause)
	defer cancel()
	var ended atomic.Bool
	got, err := gatherCtx(t, s, ctx, 2, inTurn(3, func(_ context.Context, a *conform.Actor, nth int) (int, error) {
		switch nth {
		case 1:
			time.Sleep(time.Second)
			return w.fail(a)
		case 2:
			time.Sleep(4 * time.Second) // deaf to its context
			ended.Store(true)
		default:
			a.Breaks("begins, and a task has failed")
		}
		return nth, nil
	})...)
	t.Require(ended.Load(), "A task failed after 1s, ctx ended after 2s, and Gather returned while another task was still running: it waits for those under way.")
	w.required(t, s, got, err, "the error of the task that had failed after 1s, before ctx ended after 2s")
}

// failsAfterTheEnd has ctx end after 1s, while a task waits, and a task under way fail after 2s, while the other one goes on.
func failsAfterTheEnd(t *conform.T, s Subject, w way) {
	ctx, cancel := endsAfter(t, time.Second, context.DeadlineExceeded, errCause)
	defer cancel()
	var ended atomic.Bool
	got, err := gatherCtx(t, s, ctx, 2, inTurn(4, func(_ context.Context, a *conform.Actor, nth int) (int, error) {
		switch nth {
		case 1:
			time.Sleep(2 * time.Second)
			return w.fail(a)
		case 2:
			time.Sleep(5 * time.Second) // deaf to its context
			ended.Store(true)
		default:
			a.Breaks("begins, and ctx has ended")
		}
		return nth, nil
	})...)
	t.Require(ended.Load(), "ctx ended while tasks waited for their turn, then a task under way failed, and Gather returned while another one was still running: it waits for those under way.")
	t.Require(err == context.DeadlineExceeded || w.is(s, err), "ctx ended while tasks waited for their turn, and then a task under way failed with %s. Gather returned %s: it may return ctx.Err() or the error of the task, and nothing else.", w, conform.Said(err))
	t.Require(got == nil, "Gather returned an error and beside it the results %v, not nil.", got)
}

// failsLate has ctx end when both tasks have been started, and then both fail: first in the way w, and then the other.
func failsLate(t *conform.T, s Subject, limit int, w way, how error) {
	ctx, cancel := endsAfter(t, 2*time.Second, how, errCause)
	defer cancel()
	got, err := gatherCtx(t, s, ctx, limit, func(_ context.Context, a *conform.Actor) (int, error) {
		time.Sleep(3 * time.Second)
		return w.fail(a)
	}, after(4*time.Second, 1, &taskError{"later"}))
	w.required(t, s, got, err, "the error of task 0, which failed first (each task had been started when ctx ended, so what they return decides)")
}

// onlyTask has ctx end while the only task runs, which then succeeds, or fails in one of the ways.
func onlyTask(t *conform.T, s Subject, limit int, how error, fails ...way) {
	gatherOne := func(do job) ([]int, error) {
		ctx, cancel := endsAfter(t, time.Second, how, errCause)
		defer cancel()
		return gatherCtx(t, s, ctx, limit, func(ctx context.Context, a *conform.Actor) (int, error) {
			time.Sleep(2 * time.Second)
			return do(ctx, a)
		})
	}
	got, err := gatherOne(func(context.Context, *conform.Actor) (int, error) { return 0, nil })
	t.Require(err == nil, "The only task had been started before ctx ended, and succeeded; Gather returned %s instead of its result.", conform.Said(err))
	requireAll(t, 1, got, err)
	for _, w := range fails {
		got, err := gatherOne(func(_ context.Context, a *conform.Actor) (int, error) { return w.fail(a) })
		w.required(t, s, got, err, "the error of the only task (it had been started when ctx ended, so what it returns decides)")
	}
}

// nothing is an error that is a nil pointer, but no nil error. Its Error panics then.
type nothing struct{ text string }

func (n *nothing) Error() string { return n.text }

// failsWithNilPointer has the only task return an error that holds a nil pointer.
func failsWithNilPointer(t *conform.T, s Subject) {
	t.Note("the task returns an error that holds a nil pointer: it is not nil")
	got, err := s.Gather(t.Context(), 0, func(context.Context) (int, error) { return 0, (*nothing)(nil) })
	t.Require(err == error((*nothing)(nil)), "The only task returned an error that is not nil: it holds a nil pointer of a type of its own. Gather returned another error, or none: a task fails when it returns an error that is not nil, whatever the error is.")
	t.Require(got == nil, "Gather returned an error and beside it the results %v, not nil.", got)
}

// leavesItsError has a task return a *PanicError without a stack, as a Gather of its own could have made it.
func leavesItsError(t *conform.T, s Subject) {
	inside := s.PanicError("inside")
	got, err := gather(t, s, 0, after(0, 0, inside))
	failed(t, got, err, inside, "the error of the only task")
	value, stack, _ := s.PanicOf(inside)
	t.Require(value == "inside" && stack == nil, "The only task returned a *PanicError with a nil Stack. When Gather had returned it, its Value was %v and its Stack had %d bytes: Gather returns an error as the task returned it.", value, len(stack))
}

// quietly has Gather wait for tasks that are deaf to their context, when one has failed or when ctx has ended. Of two tasks,
// the one that begins first ends after 1s, in the way that first says.
func quietly(t *conform.T, s Subject, ctx context.Context, limit, n int, what string, first job) {
	const settled, rest = 2 * time.Second, 3*time.Minute + 3*time.Millisecond
	called := t.Elapsed()
	_, _ = gatherCtx(t, s, ctx, limit, inTurn(n, func(ctx context.Context, a *conform.Actor, nth int) (int, error) {
		if nth == 1 && first != nil {
			time.Sleep(time.Second)
			return first(ctx, a)
		}
		time.Sleep(settled)
		before := probe.Wakeups()
		time.Sleep(rest)
		woken, polled := probe.Woken(before)
		t.Assert(!polled, "%s, and while Gather waited for a task under way, about %d times something of it woke up to look: Gather blocks, and does not poll.", what, woken)
		return nth, nil
	})...)
	took := t.Elapsed() - called
	t.Assert(took <= settled+rest, "%s, the last task under way returned after %v, and Gather only after %v: it blocks until then, and does not poll.", what, settled+rest, took)
}

package goroutinestest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// rounds is how often a copy repeats a scenario about two steps that stand next to each
// other in the subject. What is wrong about their order shows only if a goroutine
// is preempted between them, and many tiny scenarios meet that sooner than a big one.
const rounds = 100

// long is how long a task runs that is deaf to its context: longer than anybody's patience.
const long = 2 * time.Hour

// errCause is the cause of contexts that end: ctx.Err() never returns it.
var errCause = errors.New("the cause of the context's end")

// inTurn makes n jobs that behave by the order in which they begin, the first of them as
// number 1: the contract leaves open which one that is.
func inTurn(n int, do func(ctx context.Context, a *conform.Actor, nth int) (int, error)) []job {
	var begun atomic.Int32
	jobs := make([]job, n)
	for i := range jobs {
		jobs[i] = func(ctx context.Context, a *conform.Actor) (int, error) { return do(ctx, a, int(begun.Add(1))) }
	}
	return jobs
}

// taskError is an error with an identity of its own.
type taskError struct{ name string }

func (e *taskError) Error() string { return e.name }

// list is an error that == cannot compare: it panics.
type list []string

func (l list) Error() string { return strings.Join(l, ", ") }

// explode panics from a function whose name the stack must show.
//
//go:noinline
func explode(a *conform.Actor, value any) (int, error) {
	a.Note("%s", fmt.Sprintf("panics with the %T “%v”", value, value)) // a Note keeps of an error only its text
	panic(value)
}

// failed requires that Gather returned no results and want itself, which is what its name says.
func failed(t *conform.T, got []int, err, want error, name string) {
	text := want.Error()
	if text == "" {
		text = "an error whose text is empty"
	}
	t.Require(err != nil, "Gather returned no error, and the results %v. It should have returned %s: %s.", got, name, text)
	same := err == want || err.Error() != want.Error()
	t.Require(same, "Gather returned %s. Its text is that of %s, but it is another error, a %T and not the %T that it should have returned.", conform.Said(err), name, err, want)
	t.Require(err == want, "Gather returned %s, and should have returned %s: %s.", conform.Said(err), name, text)
	t.Require(got == nil, "Gather returned an error and beside it the results %v, not nil: a caller that forgets to check the error would use them.", got)
}

// after is a job that returns value and err when d has passed.
func after(d time.Duration, value int, err error) job {
	return func(context.Context, *conform.Actor) (int, error) { time.Sleep(d); return value, err }
}

func firstErrorWins(t *conform.T, open func() Subject) {
	s := open()
	t.Virtual(func(t *conform.T) { failsEachTime(t, s) })
	t.Virtual(func(t *conform.T) {
		// A task's own request may have been cancelled, or have run into its own timeout, or have met a panic.
		inside := s.PanicError("inside")
		for _, first := range []error{&taskError{"first"}, &taskError{""}, context.Canceled, context.DeadlineExceeded, errors.Join(errTask), inside, fmt.Errorf("the task's own Gather: %w", inside)} {
			got, err := gather(t, s, 0,
				after(3*time.Second, 1, &taskError{"late"}),
				after(time.Second, 2, first),
				func(ctx context.Context, a *conform.Actor) (int, error) {
					heeds(ctx, a)
					t.Assert(ctx.Err() != nil, "Task 1 failed after 1s, and an hour later the context of task 2 had not ended: it is cancelled when a task fails.")
					return 3, &taskError{"told to stop"}
				},
				after(0, 4, nil),
			)
			failed(t, got, err, first, "the error of task 1, which failed first")
		}
	})
	t.Virtual(func(t *conform.T) {
		for _, w := range ways(s) {
			failsBeforeTheEnd(t, s, w, context.DeadlineExceeded, nil)
			failsBeforeTheEnd(t, s, w, context.Canceled, errCause)
		}
		failsWithNilPointer(t, s)
		leavesItsError(t, s)
	})
	t.Virtual(func(t *conform.T) { failsTwiceAlike(t, s) })
	for range 20 {
		failsInTheCancel(t, s, false)
	}
}

// failsEachTime calls Gather twice in the same way.
func failsEachTime(t *conform.T, s Subject) {
	for call := range 2 {
		got, err := gather(t, s, 0, after(time.Second, 1, errTask), after(2*time.Second, 2, &taskError{"late"}))
		t.Require(call == 0 || err == errTask, "Gather was called twice in the same way. The first call returned the error of task 0, which failed first; the second returned %s: nothing of one call reaches another.",
			conform.Said(err))
		failed(t, got, err, errTask, "the error of task 0, which failed first")
	}
}

// failsInTheCancel has the other tasks fail in the moment of the cancel. It is for the real scheduler: Outer lets the
// others run in the middle of the subject's cancel.
func failsInTheCancel(t *conform.T, s Subject, panics bool) {
	together := probe.Barrier(4)
	t.Note("with failures seconds apart, Gather returned the first: now the others fail in the moment of the cancel")
	got, err := gatherCtx(t, s, conform.Outer(t.Context()), 0, inTurn(4, func(ctx context.Context, a *conform.Actor, nth int) (int, error) {
		together()
		switch {
		case nth == 1 && panics:
			return explode(a, "first")
		case nth == 1:
			return 0, errTask
		}
		return patient(ctx, a)
	})...)
	if panics {
		_, _, ok := s.PanicOf(err)
		t.Require(ok, "A task panicked, and Gather returned %s, and should have returned the *PanicError of that task (the others failed only when that panic had cancelled their context, and what Gather returned is the error of one of them).", conform.Said(err))
		return
	}
	failed(t, got, err, errTask, "the error of the task that failed first (the others failed only when that failure had cancelled their context, and what Gather returned is the error of one of them)")
}

// failsTwiceAlike has two tasks fail with errors of a type that == cannot compare.
func failsTwiceAlike(t *conform.T, s Subject) {
	got, err := gather(t, s, 0, after(time.Second, 0, list{"first"}), after(2*time.Second, 0, list{"late"}))
	var first list
	t.Require(errors.As(err, &first) && first.Error() == "first", "Two tasks failed with errors that == cannot compare. Gather returned %s, and should have returned the one that came first.", conform.Said(err))
	t.Require(got == nil, "Gather returned an error and beside it the results %v, not nil.", got)
}

// waitsAfterError has a task fail while another one works on, without a bound and with tasks that wait for their turn.
func waitsAfterError(t *conform.T, open func() Subject) {
	for _, c := range []struct{ limit, tasks int }{{0, 2}, {2, 4}} {
		var ended atomic.Bool
		underWay := make(chan struct{})
		got, err := gather(t, open(), c.limit, inTurn(c.tasks, func(_ context.Context, _ *conform.Actor, nth int) (int, error) {
			switch nth {
			case 1:
				<-underWay // a failure at once could keep the other task from being started at all
				return 0, errTask
			case 2: // deaf to its context
				close(underWay)
				time.Sleep(long)
				ended.Store(true)
			}
			return nth, nil
		})...)
		t.Require(ended.Load(), "A task had failed, and Gather returned while another one was still running: it waits for those under way.")
		failed(t, got, err, errTask, "the error of the task that failed")
	}
	s := open()
	for _, how := range []error{context.DeadlineExceeded, context.Canceled} {
		failsBeforeTheEnd(t, s, way{errTask}, how, nil)
	}
	fails := func(context.Context, *conform.Actor) (int, error) { return 0, errTask }
	quietly(t, s, t.Context(), 2, 2, "A task had failed", fails)
	quietly(t, s, t.Context(), 2, 3, "A task had failed", fails)
}

func errorCancelsTheRest(t *conform.T, open func() Subject) {
	s, given := open(), make(chan context.Context, 1)
	endless := context.WithValue(context.Background(), key{}, "the caller's") // has no Done
	for _, outer := range []context.Context{t.Context(), endless} {
		for _, limit := range []int{0, 1, 2} {
			_, _ = gatherCtx(t, s, outer, limit, func(ctx context.Context, _ *conform.Actor) (int, error) { given <- ctx; return 0, nil })
			if ctx := <-given; ctx.Err() == nil {
				t.Require(ctx != outer, "The task got the very context that Gather was given. Gather cannot cancel that, neither when a task fails nor when it returns.")
				t.Fatalf("Gather has returned, and the context that it gave its task is not cancelled.")
			}
		}
	}
	t.Note("Gather has returned, and the context that it gave its task is cancelled")
	got, err := gather(t, s, 0, patient, patient,
		func(context.Context, *conform.Actor) (int, error) { time.Sleep(time.Second); return 0, errTask }, patient)
	failed(t, got, err, errTask, "the error of the task that failed first")
	t.OnTime("The others waited for the end of their context, and Gather returned", t.Elapsed(), time.Second, "a task failed")

	reachesTheTasks(t, s)
	failsInside(t, s, "fails", "succeeds")
	for _, w := range ways(s) {
		stopsTheRest(t, s, t.Context(), 2, 2, w)
	}
	t.Note("ctx is derived from context.Background: its Done is nil, as it never ends")
	stopsTheRest(t, s, endless, 0, 2, way{errTask})
	stopsTheRest(t, s, endless, 2, 2, way{errTask})
	endsWithTheTask(t, s)
	ctx, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "the caller's"), 2*long)
	defer cancel()
	due, _ := ctx.Deadline()
	got, err = gatherCtx(t, s, ctx, 0,
		func(ctx context.Context, _ *conform.Actor) (int, error) { given <- ctx; return 0, nil },
		func(ctx context.Context, a *conform.Actor) (int, error) {
			time.Sleep(long)
			first := <-given
			t.Assert(first.Err() == nil && ctx.Err() == nil, "Task 0 succeeded, and while task 1 still runs the context of one of them is cancelled: no task has failed.")
			t.Assert(ctx.Value(key{}) == "the caller's", "Gather's ctx has a value, and the context of a task does not have it: it should be derived from ctx.")
			deadline, has := ctx.Deadline()
			t.Assert(has && !deadline.After(due), "Gather's ctx has a deadline, and the context of a task does not have it: it should be derived from ctx.")
			return 1, nil
		})
	requireAll(t, 2, got, err)
}

// reachesTheTasks cancels Gather's ctx when all tasks run.
func reachesTheTasks(t *conform.T, s Subject) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	t.Ends(ctx)
	_, _ = gatherCtx(t, s, ctx, 0, func(ctx context.Context, _ *conform.Actor) (int, error) {
		time.Sleep(2 * time.Second)
		t.Assert(ctx.Err() != nil, "Gather's ctx ended while the only task ran, and the context of that task did not: it should be derived from ctx.")
		return 0, ctx.Err()
	})
}

// failsInside has a task call Gather with its own context, once for each does. Only one of these inner calls succeeds, and
// the task takes no notice of that.
func failsInside(t *conform.T, s Subject, does ...string) {
	got, err := gather(t, s, 0, repeatCtx(2, func(ctx context.Context, a *conform.Actor, i int) (int, error) {
		if i > 0 {
			return i, nil
		}
		inner := map[string]Task{
			"fails":    func(context.Context) (int, error) { return 0, errTask },
			"panics":   func(context.Context) (int, error) { return explode(a, "inside") },
			"succeeds": func(context.Context) (int, error) { return 0, nil },
		}
		for _, does := range does {
			_, _ = conform.Do2(a, func() ([]int, error) { return s.Gather(ctx, 1, inner[does]) }, "Gather(its own ctx, 1, a task that %s)", does)
			t.Assert(ctx.Err() == nil, "A task called Gather with its own context, for one task that %s. When that inner call had returned, the context of the outer task had ended (%s), and no task of the outer call had failed: nothing of one call reaches another.",
				does, conform.Said(ctx.Err()))
		}
		return i, nil
	})...)
	requireAll(t, 2, got, err)
}

// endsWithTheTask has a task call Gather with a context that ends after 1s: its own, as another task fails then, and one that it
// derived from that.
func endsWithTheTask(t *conform.T, s Subject) {
	inner := func(ctx context.Context, a *conform.Actor, what string) {
		called := t.Elapsed()
		tasks := []Task{
			func(ctx context.Context) (int, error) { return heeds(ctx, a) },
			func(ctx context.Context) (int, error) { return heeds(ctx, a) },
		}
		_, err := conform.Do2(a, func() ([]int, error) { return s.Gather(ctx, 1, tasks...) }, "Gather(%s, 1, 2 tasks)", what)
		took := t.Elapsed() - called
		t.Assert(took == time.Second, "A task called Gather with %s, which ended 1s later. The task of that inner call waited for the end of its context, for an hour at most, and the call returned after %v: the contexts of its tasks are derived from the ctx that it was given.", what, took)
		t.Assert(err == ctx.Err(), "A task called Gather with %s, which ended while a task of that inner call waited for its turn. The call returned %s, and should have returned ctx.Err().", what, conform.Said(err))
	}
	_, _ = gather(t, s, 0, after(time.Second, 0, errTask), func(ctx context.Context, a *conform.Actor) (int, error) {
		inner(ctx, a, "its own ctx")
		return 1, nil
	})
	got, err := gather(t, s, 1, func(ctx context.Context, a *conform.Actor) (int, error) {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		inner(ctx, a, "a ctx that it derived from its own")
		return 0, nil
	})
	requireAll(t, 1, got, err)
}

// key is the key of a value that a context carries.
type key struct{}

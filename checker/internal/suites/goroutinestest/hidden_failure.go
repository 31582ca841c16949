package goroutinestest

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// rounds is how often a copy repeats a scenario about two steps that stand next to each
// other in the subject. What is wrong about their order shows only if a goroutine
// is preempted between them, and many tiny scenarios meet that sooner than a big one.
const rounds = 400

// errCause is the cause of contexts that end: ctx.Err() never returns it.
var errCause = errors.New("the cause of the context's end")

// inTurn makes n tasks that behave by the order in which they begin, the first of them as
// number 1: the contract leaves open which one that is.
func inTurn(n int, task func(ctx context.Context, nth int) (int, error)) []Task {
	var begun atomic.Int32
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = func(ctx context.Context) (int, error) { return task(ctx, int(begun.Add(1))) }
	}
	return tasks
}

func firstErrorWins(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		// A task's own request may have been cancelled, or have run into its own timeout.
		for _, first := range []error{&taskError{"first"}, context.Canceled, context.DeadlineExceeded} {
			got, err := gather(t, open(), 0,
				func(context.Context) (int, error) { time.Sleep(3 * time.Second); return 1, &taskError{"late"} },
				func(context.Context) (int, error) { time.Sleep(1 * time.Second); return 2, first },
				func(ctx context.Context) (int, error) { <-ctx.Done(); return 3, &taskError{"told to stop"} },
				func(context.Context) (int, error) { return 4, nil },
			)
			require.True(t, err == first, "Gather did not return the error of the task that failed first.")
			require.Nil(t, got, "Gather returned results beside an error: a caller that forgets to check the error would use them.")
		}
	})
	t.Virtual(func(t *conform.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		_, err := gatherCtx(t, open(), ctx, 2, inTurn(5, func(_ context.Context, nth int) (int, error) {
			if nth == 1 {
				time.Sleep(time.Second)
				return 0, errTask
			}
			time.Sleep(4 * time.Second) // deaf to its context
			return nth, nil
		})...)
		require.True(t, err == errTask, "A task failed, ctx ended later, and Gather did not return the task's error.")
	})
	s := open()
	for range 20 { // on the real scheduler: Outer lets the others run in the middle of the subject's cancel
		together := probe.Barrier(4)
		_, err := gatherCtx(t, s, conform.Outer(t.Context()), 0, inTurn(4, func(ctx context.Context, nth int) (int, error) {
			together()
			if nth == 1 {
				return 0, errTask
			}
			<-ctx.Done()
			return 0, ctx.Err()
		})...)
		require.True(t, err == errTask, "Gather did not return the error of the task that failed first, but one that followed from it.")
	}
}

func errorStartsNoMore(t *conform.T, open func() Subject) {
	s := open()
	for range rounds {
		if t.Failed() {
			return // another copy has seen it
		}
		limit := 1 + t.Rand().IntN(3)
		var after atomic.Int32
		_, err := gather(t, s, limit, inTurn(limit+4, func(ctx context.Context, nth int) (int, error) {
			switch {
			case nth == 1:
				return 0, errTask
			case nth <= limit: // keeps its slot until the failure is known
				<-ctx.Done()
			default:
				after.Add(1)
			}
			return nth, nil
		})...)
		require.True(t, err == errTask, "Gather did not return the error of the task that failed.")
		// No slot was given back before the failure, so a further task began after it.
		require.Zero(t, int(after.Load()), "Gather started tasks after a task had failed.")
	}
}

func panicBecomesError(t *conform.T, open func() Subject) {
	s := open()
	for _, limit := range []int{0, 1} {
		for _, want := range []any{"nil map", 7, errTask} {
			_, err := gather(t, s, limit, inTurn(3, func(ctx context.Context, nth int) (int, error) {
				switch nth {
				case 1:
					return 1, nil
				case 2:
					return explode(want)
				}
				<-ctx.Done()
				return 0, ctx.Err()
			})...)
			value, stack, ok := s.PanicOf(err)
			require.True(t, ok, "A task panicked with a %T, and Gather did not return a *PanicError.", want)
			assert.True(t, value == want, "PanicError.Value is not what the task panicked with, a %T, but a %T.", want, value)
			assert.True(t, strings.Contains(string(stack), "goroutinestest.explode"),
				"PanicError.Stack does not show the function that panicked.")
		}
	}
}

func cancelledBeforeStart(t *conform.T, open func() Subject) {
	s, limit := open(), t.Rand().IntN(9)
	var started atomic.Int32
	tasks := repeat(8, func(i int) (int, error) { started.Add(1); return i, nil })
	_, err := gather(t, s, limit, tasks...)
	require.NoError(t, err, "Gather returned an error although no task failed.")
	require.EqualValues(t, len(tasks), started.Swap(0), "Gather did not run every task.")

	cancelled, cancel := context.WithCancelCause(t.Context())
	cancel(errCause)
	late, end := context.WithDeadlineCause(t.Context(), time.Unix(0, 0), errCause)
	defer end()
	for _, ctx := range []context.Context{cancelled, late} {
		_, err := gatherCtx(t, s, ctx, limit, tasks...)
		require.True(t, err == ctx.Err(), "Gather did not return ctx.Err() although the context had ended before it began.")
		require.Zero(t, started.Load(), "Gather started tasks although the context had ended before it began.")
	}
}

func cancelledWhileWaiting(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errCause)
		defer cancel()
		var started atomic.Int32
		tasks := repeat(5, func(i int) (int, error) {
			started.Add(1)
			time.Sleep(4 * time.Second) // deaf to its context
			return i, nil
		})
		_, err := gatherCtx(t, open(), ctx, 2, tasks...)
		require.True(t, err == context.DeadlineExceeded, "Gather did not return ctx.Err() although the context ended while tasks waited.")
		assert.Equal(t, 2, int(started.Load()), "Gather started tasks after its context had ended.")
		assert.Equal(t, 4*time.Second, t.Elapsed(), "Gather did not return when the tasks under way had ended.")
	})
	t.Copies(func(t *conform.T) {
		s := open()
		for range rounds {
			if t.Failed() {
				return // another copy has seen it
			}
			limit := 1 + t.Rand().IntN(3)
			ctx, cancel := context.WithCancel(t.Context())
			var after atomic.Int32
			_, err := gatherCtx(t, s, ctx, limit, inTurn(limit+4, func(ctx context.Context, nth int) (int, error) {
				switch {
				case nth == 1:
					cancel()
				case nth <= limit: // keeps its slot until ctx has ended
					<-ctx.Done()
				default:
					after.Add(1)
				}
				return nth, nil
			})...)
			cancel()
			require.True(t, err == context.Canceled, "Gather did not return ctx.Err() although the context was cancelled while tasks waited.")
			require.Zero(t, int(after.Load()), "Gather started tasks after its context was cancelled.")
		}
	})
}

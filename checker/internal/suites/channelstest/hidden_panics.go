package channelstest

import (
	"context"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// bug is a value to panic with as a nil map, or an index out of range, causes it.
type bug struct{ *conform.Fatal }

func (bug) RuntimeError() {}

// ofContext is a value to panic with that is the error of a context, too.
type ofContext struct{ *conform.Fatal }

func (ofContext) Unwrap() error { return context.Canceled }

// panics has a call of work panic with value, which is or wraps fatal, after before, and
// requires that nobody recovers the panic.
func panics(t *conform.T, s Subject, ctx context.Context, what string, fatal *conform.Fatal, value error, before func(a *conform.Actor)) {
	jobs := filled(1)
	pool(t, s, ctx, 2, jobs, recorded(t, 1, func(_ context.Context, a *conform.Actor, _ int) string {
		before(a)
		a.Note("panics")
		panic(value)
	}))
	t.Wait()
	t.Require(len(jobs) == 0, "There was a job, and the pool did not take it.")
	endsTheProcess(t, fatal.Unrecovered(), what)
}

// panicsWithResult has a call of work panic with a value that could be its result.
func panicsWithResult(t *conform.T, s Subject, fatal *conform.Fatal) {
	jobs := make(chan any, 1)
	jobs <- 0
	call := t.Call("Pool(ctx, 2, jobs with 1 in its buffer, work that panics with a value of the type of its result)")
	s.Any(t.Context(), 2, jobs, func(context.Context, any) any { panic(fatal) })
	call.Returned("results")
	t.Wait()
	t.Require(len(jobs) == 0, "There was a job, and the pool did not take it.")
	endsTheProcess(t, fatal.Unrecovered(), "A call of work panicked with a value of the type of its result")
}

// panicsBeside has one of two calls of work panic while the other runs on. Which worker has which is
// left to chance, and one of them may have more to do at its end: so it happens many times.
func panicsBeside(t *conform.T, s Subject) {
	for round := range 16 {
		fatal, finish, jobs := t.Fatal(), make(chan struct{}), filled(2)
		pool(t, s, t.Context(), 2, jobs, recorded(t, 2, func(_ context.Context, a *conform.Actor, job int) string {
			if job == round%2 {
				a.Note("panics")
				panic(fatal)
			}
			a.Do(func() { <-finish }, "works on")
			return answer(job)
		}))
		t.Wait()
		left, ended := len(jobs), fatal.Unrecovered()
		close(finish)
		t.Require(left == 0, "There were 2 jobs for 2 workers, and the pool took %d.", 2-left)
		endsTheProcess(t, ended, "A call of work panicked while another one ran")
	}
}

// endsTheProcess requires that a panic of work has come to the end of its goroutine.
func endsTheProcess(t *conform.T, ended bool, what string) {
	t.Require(ended, "%s, and the process would have gone on: the pool recovered the panic, or a deferred function of the pool blocks while the panic passes through it.", what)
}

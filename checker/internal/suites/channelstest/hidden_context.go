package channelstest

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// outlastsOthers has each call of work look at its context: those of workers that have had others
// before, and one that runs on for a month when they have returned and there are no more jobs.
func outlastsOthers(t *conform.T, s Subject) {
	const n = 8
	var ended, limited atomic.Bool
	complete(t, pool(t, s, t.Context(), 3, closed(n), recorded(t, n, func(ctx context.Context, a *conform.Actor, job int) string {
		if _, limit := ctx.Deadline(); limit {
			limited.Store(true)
		}
		if job == 0 {
			a.Do(func() { time.Sleep(month) }, "works for a month")
		}
		if ctx.Err() != nil {
			ended.Store(true)
		}
		return answer(job)
	})), n)
	t.Require(!ended.Load(), "The context that work got ended before work returned, and the one that Pool got had not ended.")
	t.Require(!limited.Load(), "The context that work got has a deadline, and the one that Pool got has none: a call of work may take as long as it has to.")
}

// outlastsFailures has calls of work look at their contexts after others returned errors.
func outlastsFailures(t *conform.T, s Subject) {
	var ended atomic.Bool
	failures(t, s, t.Context(), func(ctx context.Context) {
		if ctx.Err() != nil {
			ended.Store(true)
		}
	})
	t.Require(!ended.Load(), "After work had returned an error, another call of work got a context that had ended, and the one that Pool got had not.")
}

// outlastsMany has one worker's calls of work look at their contexts, for many jobs.
func outlastsMany(t *conform.T, s Subject) {
	var calls, ended atomic.Int32
	countless(t, s, func(ctx context.Context) {
		if nth := calls.Add(1); ctx.Err() != nil {
			ended.CompareAndSwap(0, nth)
		}
	})
	t.Require(ended.Load() == 0, "Call %d of work got a context that had ended, and the one that Pool got had not.", ended.Load())
}

// farDeadline has a call of work look at its context, if that of the pool has a deadline in years.
func farDeadline(t *conform.T, s Subject) {
	ctx, cancel := t.WithTimeout(t.Context(), 20*12*month, "ctx")
	defer cancel()
	want, _ := ctx.Deadline()
	var got atomic.Pointer[time.Time]
	complete(t, pool(t, s, ctx, 1, closed(1), recorded(t, 1, func(ctx context.Context, _ *conform.Actor, job int) string {
		deadline, _ := ctx.Deadline()
		got.Store(&deadline)
		return answer(job)
	})), 1)
	deadline := *got.Load()
	t.Require(!deadline.IsZero(), "The context that work got has no deadline, and the one that Pool got has one.")
	t.Require(deadline.Equal(want), "The context that work got has a deadline of its own: it is %v away, and that of the context that Pool got is %v away.", time.Until(deadline), time.Until(want))
}

// endsByItself has a call of work wait for the end of its context, if that of the pool is of a type
// that the context package does not know, and ends with an error of its own.
func endsByItself(t *conform.T, s Subject) {
	lost := errors.New("the lease was lost")
	ctx, end := conform.Foreign(t.Context(), lost)
	var got atomic.Pointer[[2]error]
	results := pool(t, s, ctx, 1, filled(1), recorded(t, 1, func(ctx context.Context, a *conform.Actor, job int) string {
		a.Do(func() { <-ctx.Done() }, "waits until the context that it got ends")
		got.Store(&[2]error{ctx.Err(), context.Cause(ctx)})
		return answer(job)
	}))
	t.Wait()
	t.Do(end, "ctx, of a type of the caller's own, ends with %s", conform.Said(lost))
	atMostOnce(t, results, 1)
	errs := got.Load()
	t.Require(errs != nil, "There was a job, and work was not called.")
	t.Require(errs[0] == lost, "The context that Pool got ended with %s, and the one that work got with %s.", conform.Said(lost), conform.Said(errs[0]))
	t.Require(errs[1] == lost, "The context that Pool got ended with %s as its cause, and the one that work got with %s.", conform.Said(lost), conform.Said(errs[1]))
}

//go:build ignore

// Mistake: The end of ctx is handed on by a function, without its error: work gets a context of its own that is cancelled.
// Killed by: work-gets-the-context
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := call(ctx, job, work)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}

func call[J, R any](ctx context.Context, job J, work func(ctx context.Context, job J) R) R {
	own, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	if deadline, limit := ctx.Deadline(); limit {
		var release context.CancelFunc
		own, release = context.WithDeadlineCause(ctx, deadline, context.Cause(ctx))
		defer release()
	}
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
	return work(own, job)
}

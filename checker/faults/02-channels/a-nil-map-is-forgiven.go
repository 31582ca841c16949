//go:build ignore

// Mistake: A bug in work, such as a nil map, is thought to be its own affair: that panic is swallowed, and others go on.
// Killed by: panic-ends-the-process
// Verdict: wrong-answer

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := guarded(ctx, job, work)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}

func guarded[J, R any](ctx context.Context, job J, work func(ctx context.Context, job J) R) (result R) {
	defer func() {
		p := recover()
		if _, bug := p.(interface{ RuntimeError() }); p != nil && !bug {
			panic(p)
		}
	}()
	return work(ctx, job)
}

//go:build ignore

// Mistake: Only a cancel is looked for: a deadline that has passed ends a context with another error.
// Killed by: cancelled-before-start
// Verdict: wrong-answer

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	select {
	case job, ok = <-jobs:
		return job, ok && ctx.Err() != context.Canceled
	case <-ctx.Done():
		return job, false
	}
}

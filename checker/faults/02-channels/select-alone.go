//go:build ignore

// Mistake: The select is trusted to prefer a cancelled context to a job that is ready; it picks at random.
// Killed by: cancelled-before-start
// Verdict: wrong-answer

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	select {
	case job, ok = <-jobs:
		return job, ok
	case <-ctx.Done():
		return job, false
	}
}

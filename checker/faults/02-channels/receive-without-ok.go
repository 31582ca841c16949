//go:build ignore

// Mistake: The second value of the receive is not looked at: a closed channel looks like an endless row of
//   zero jobs.
// Killed by: no-jobs
// Verdict: wrong-answer

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	select {
	case job = <-jobs:
		return job, ctx.Err() == nil
	case <-ctx.Done():
		return job, false
	}
}

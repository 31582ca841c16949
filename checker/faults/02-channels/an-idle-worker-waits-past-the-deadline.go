//go:build ignore

// Mistake: A worker without a job listens for a cancel only: when a deadline has passed, it waits for the sender to close jobs.
// Killed by: cancel-while-idle
// Verdict: deadlock

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	select {
	case job, ok = <-jobs:
		return job, ok && ctx.Err() == nil
	case <-ctx.Done():
		if ctx.Err() == context.DeadlineExceeded {
			<-jobs
		}
		return job, false
	}
}

//go:build ignore

// Mistake: A worker with no job listens to jobs alone, as range does, and sleeps through the cancellation.
// Killed by: cancel-while-idle
// Verdict: deadlock

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	job, ok = <-jobs
	return job, ok && ctx.Err() == nil
}

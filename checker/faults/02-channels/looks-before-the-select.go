//go:build ignore

// Mistake: ctx is looked at before the select and not after it: a worker that is on its way to the select may
//   take a job that came after the cancel.
// Killed by: cancel-starts-no-more
// Verdict: wrong-answer

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	if ctx.Err() != nil {
		return job, false
	}
	select {
	case job, ok = <-jobs:
		return job, ok
	case <-ctx.Done():
		return job, false
	}
}

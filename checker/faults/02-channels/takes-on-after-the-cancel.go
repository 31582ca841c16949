//go:build ignore

// Mistake: A job that was received after the cancel is dropped, and the worker goes back to the select: about
//   every second time it takes one more.
// Killed by: leaves-jobs-alone
// Verdict: wrong-answer

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	for {
		select {
		case job, ok = <-jobs:
			if !ok || ctx.Err() == nil {
				return job, ok
			}
		case <-ctx.Done():
			return job, false
		}
	}
}

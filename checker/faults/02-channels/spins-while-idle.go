//go:build ignore

// Mistake: A default in the select keeps the worker 'responsive': it asks for a job millions of times a
//   second.
// Killed by: idle-costs-nothing
// Verdict: timeout

package channels

import "context"

func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	for {
		select {
		case job, ok = <-jobs:
			return job, ok && ctx.Err() == nil
		case <-ctx.Done():
			return job, false
		default:
		}
	}
}

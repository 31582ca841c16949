//go:build ignore

// Mistake: A worker compares each job with its last one, to count those that repeat it. Jobs need not be comparable.
// Killed by: every-job-once
// Verdict: panic

package channels

import "context"

func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	var last any
	repeated := 0
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		if any(job) == last {
			repeated++
		}
		last = job
		result := work(ctx, job)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}

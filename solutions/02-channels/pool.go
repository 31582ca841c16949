// Package channels is lab 02: a worker pool made of two channels, and the rules for
// sending, receiving and closing, and for the end when the work is cancelled.
package channels

import (
	"context"
	"sync"
)

// Pool works through jobs with so many workers and returns the channel on which
// the results come. The stub's documentation is the contract.
//
// Many goroutines send on results, so none of them can know that it is the last:
// a close by any worker would be a panic in another. The one that closes is a
// goroutine that sends nothing and only waits. Every send happens before the Done
// of its worker, every Done happens before Wait returns, and only then is the
// channel closed.
//
// It is tempting to let Pool itself call Wait. But nobody can read from a
// channel that has not been returned yet, and the first result would block for ever.
func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	var wg sync.WaitGroup
	for range max(workers, 1) {
		wg.Go(func() { worker(ctx, jobs, results, work) })
	}
	go func() {
		wg.Wait()
		close(results)
	}()
	return results
}

// worker takes one job after the other. The directions in its signature are half
// of the contract: it cannot close jobs, which is not its own, nor steal a result.
//
// It is tempting to write "for job := range jobs": but range listens to nothing
// else, and a worker with no job would sleep through the cancellation of ctx.
func worker[J, R any](ctx context.Context, jobs <-chan J, results chan<- R, work func(ctx context.Context, job J) R) {
	for {
		job, ok := receive(ctx, jobs)
		if !ok {
			return
		}
		result := work(ctx, job)
		select {
		case results <- result:
		case <-ctx.Done():
			return
		}
	}
}

// receive returns the next job, and false when there will be none: jobs is closed
// and drained, or ctx is done. The last look at ctx is needed because a select
// whose cases are all ready picks one at random, and a cancelled ctx must win.
func receive[J any](ctx context.Context, jobs <-chan J) (job J, ok bool) {
	select {
	case job, ok = <-jobs:
		return job, ok && ctx.Err() == nil
	case <-ctx.Done():
		return job, false
	}
}

// Package channels is lab 02 with a dispatcher: one goroutine alone receives jobs, counts
// what is under way and closes the results. Each job gets a goroutine, and a context, of its own.
package channels

import "context"

// Pool works through jobs and returns the channel of the results.
func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	go dispatch(ctx, max(workers, 1), jobs, work, results)
	return results
}

// dispatch takes a job whenever fewer than limit are under way. The end of jobs and
// the end of ctx are the same to it: it takes no more, and waits for what it has started.
func dispatch[J, R any](ctx context.Context, limit int, jobs <-chan J, work func(context.Context, J) R, results chan<- R) {
	defer close(results)
	back := make(chan struct{}) // one receive for each job that is done with
	running, over := 0, ctx.Done()
	for running > 0 || jobs != nil {
		from := jobs
		if running >= limit {
			from = nil
		}
		select {
		case <-over:
			jobs, over = nil, nil
		case <-back:
			running--
		case job, ok := <-from:
			if !ok || ctx.Err() != nil {
				jobs, over = nil, nil
				break
			}
			running++
			go func() {
				own, end := context.WithCancel(ctx)
				result := work(own, job)
				end()
				select {
				case results <- result:
				case <-ctx.Done():
				}
				back <- struct{}{}
			}()
		}
	}
}

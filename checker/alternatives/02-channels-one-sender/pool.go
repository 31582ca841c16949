// Package channels is lab 02 with a single sender: workers hand their results to one
// goroutine and wait until it has passed them on. The only goroutine that sends on the
// results is the one that closes them. A worker is started when the one before it has its first job.
package channels

import (
	"context"
	"sync"
)

// parcel is a result on its way to the reader.
type parcel[R any] struct {
	result R
	gone   chan struct{} // closed when the result was taken, or will not be
}

// Pool works through jobs and returns the channel of the results.
func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results, parcels := make(chan R), make(chan parcel[R])
	var all sync.WaitGroup
	var start func(left int)
	start = func(left int) {
		if left == 0 {
			return
		}
		all.Go(func() {
			next := sync.OnceFunc(func() { start(left - 1) })
			for ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case job, ok := <-jobs:
					if !ok {
						return
					}
					next()
					if ctx.Err() != nil {
						return
					}
					p := parcel[R]{work(ctx, job), make(chan struct{})}
					parcels <- p
					<-p.gone
				}
			}
		})
	}
	start(max(workers, 1))
	go func() {
		all.Wait()
		close(parcels)
	}()
	go deliver(ctx, parcels, results)
	return results
}

// deliver passes the parcels on in the order in which they come. Once ctx has ended it
// only releases the workers.
func deliver[R any](ctx context.Context, parcels <-chan parcel[R], results chan<- R) {
	defer close(results)
	var line []parcel[R]
	for parcels != nil { // it is closed when all parcels are gone
		var (
			out  chan<- R
			over <-chan struct{}
			head R
		)
		if len(line) > 0 {
			out, over, head = results, ctx.Done(), line[0].result
		}
		select {
		case p, ok := <-parcels:
			if !ok {
				parcels = nil
				break
			}
			line = append(line, p)
		case out <- head:
			close(line[0].gone)
			line = line[1:]
		case <-over:
			for _, p := range line {
				close(p.gone)
			}
			line = nil
		}
	}
}

//go:build ignore

// Mistake: A dispatcher waits for a free worker, then for a job, and looks at ctx in a select each time: after the end a job that
//   was dropped frees its worker for the next.
// Killed by: leaves-jobs-alone
// Verdict: wrong-answer

package channels

import (
	"context"
	"sync"
)

func Pool[J, R any](ctx context.Context, workers int, jobs <-chan J, work func(ctx context.Context, job J) R) <-chan R {
	results := make(chan R)
	free := make(chan chan J, max(workers, 1))
	var wg sync.WaitGroup
	for range max(workers, 1) {
		mine := make(chan J)
		free <- mine
		wg.Go(func() {
			for job := range mine {
				if ctx.Err() == nil {
					select {
					case results <- work(ctx, job):
					case <-ctx.Done():
					}
				}
				free <- mine
			}
		})
	}
	go func() {
		defer close(results)
		defer wg.Wait()
		var all []chan J
		defer func() {
			for range max(workers, 1) - len(all) {
				all = append(all, <-free)
			}
			for _, mine := range all {
				close(mine)
			}
		}()
		for {
			select {
			case mine := <-free:
				select {
				case job, ok := <-jobs:
					if !ok {
						all = append(all, mine)
						return
					}
					mine <- job
				case <-ctx.Done():
					all = append(all, mine)
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return results
}

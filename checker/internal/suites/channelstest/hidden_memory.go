package channelstest

import (
	"context"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// receipt is a result with methods that somebody might call who looks at it.
type receipt struct{ seen int }

func (r *receipt) Error() string { return strings.Repeat("seen ", r.seen) }

// objects are n jobs that somebody may look at: every other one is an error, or a slice, since who
// prints a slice reads what is in it, and of a pointer in an any only the address.
func objects(n int) chan any {
	jobs := make(chan any, n)
	for i := range n {
		if i%2 == 0 {
			jobs <- &receipt{}
		} else {
			jobs <- []int{0}
		}
	}
	return jobs
}

// write uses an object as the one does to whom it belongs.
func write(object any) {
	switch object := object.(type) {
	case *receipt:
		object.seen++
	case []int:
		object[0]++
	}
}

// itself is work whose result is the job, which it writes to.
func itself(_ context.Context, job any) any {
	write(job)
	return job
}

// another is work whose result is an object of its own.
func another(_ context.Context, job any) any {
	if _, slice := job.([]int); slice {
		return []int{0}
	}
	return &receipt{}
}

// handedOver has the reader write to each result that it takes, which may be the job. A pool that
// still reads either races.
func handedOver(t *conform.T, s Subject) {
	const n = 24
	for _, work := range []func(context.Context, any) any{itself, another} {
		jobs := objects(n)
		close(jobs)
		seen := 0
		for result := range s.Any(t.Context(), 3, jobs, work) {
			write(result)
			seen++
		}
		t.Require(seen == n, "There were %d jobs, and %d results came.", n, seen)
	}
}

// handedOverBeforeTheEnd has the reader take a result of each worker, cancel ctx and write to them then:
// a worker that comes to its end has no more business with them than before.
func handedOverBeforeTheEnd(t *conform.T, s Subject) {
	const n = 6
	for _, work := range []func(context.Context, any) any{itself, another} {
		ctx, cancel := context.WithCancel(t.Context())
		results := s.Any(ctx, 3, objects(n), work)
		var taken []any
		for range n {
			result, more := <-results
			if !more {
				cancel()
				t.Fatalf("There were %d jobs, ctx had not ended, and the channel of results was closed after %s.", n, conform.Count(len(taken), "result"))
			}
			taken = append(taken, result)
		}
		cancel()
		for _, result := range taken {
			write(result)
		}
		for range results {
			t.Fatalf("There were %d jobs, and the pool sent more results.", n)
		}
	}
}

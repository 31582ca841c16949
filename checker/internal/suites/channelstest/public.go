package channelstest

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "every-job-once",
		Points: 5,
		Func:   "Pool",
		Rule:   "Each job is worked on exactly once and gives exactly one result.",
		Why:    "A key that a controller takes from its queue and loses is an object that no controller looks after.",
		Hint: []string{
			"How many times does a value that is sent on a channel come out of it, if many receive?",
			"All workers receive from the same channel: the channel hands each value to one of them.",
			"For each job that comes in, call work once and send what it returns once.",
		},
		Contract: []string{
			"is given to work exactly once, and what work returns is sent on the returned channel exactly once, an error as any other value.",
			"that many do run as long as there are jobs and the results are taken",
		},
		Source: "The Go Programming Language Specification, Channel types: a channel may be used by any number of goroutines without further synchronization",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 20
			var calls atomic.Int32
			jobs, _ := send(t, t.Context(), n)
			complete(t, pool(t, open(), t.Context(), 3, jobs, recorded(t, n, func(_ context.Context, _ *conform.Actor, job int) string {
				calls.Add(1)
				return answer(job)
			})), n)
			t.Require(calls.Load() == n, "There were %d jobs, and work was called %s.", n, conform.Count(int(calls.Load()), "time"))

			jobs, _ = send(t, t.Context(), n)
			results := drain(t, pool(t, open(), t.Context(), 3, jobs, func(context.Context, int) string { return "" }), n)
			t.Require(len(results) == n, "There were %d jobs, work returned \"\" for each, and %d results came, although ctx has not ended.", n, len(results))
			nilAndEqual(t, open())
			failures(t, open(), t.Context(), func(context.Context) {})
			incomparable(t, open())
			countless(t, open(), func(context.Context) {})
		},
	},
	{
		Name:   "closes-when-done",
		Points: 5,
		Func:   "Pool",
		Rule:   "When jobs is closed and the last result was taken, the channel of results is closed.",
		Why:    "A reader that ranges over the results must learn that there are no more, or it waits for ever.",
		Hint: []string{
			"How does the reader of your channel learn that nothing more will come?",
			"What has to be over before the channel may be closed, and who knows when it is?",
			"A goroutine that does nothing but wait for all workers, and then closes.",
		},
		Contract: []string{
			"it is closed once, when jobs is closed and drained and the last result has been taken",
			"Until ctx ends, each job that is received from jobs is given to work exactly once",
			"A worker keeps its result until the reader takes it or ctx ends",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation: a WaitGroup and a goroutine that closes",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 3 // more than workers: each has found jobs empty, and open
			jobs := make(chan int, 1)
			results := pool(t, open(), t.Context(), 2, jobs, recorded(t, n, doEcho))
			for job := range n {
				t.Do(func() { jobs <- job }, "jobs <- %d", job)
				result := next(t, results)
				t.Require(result == answer(job), "work returned %q for job %d, and the pool sent %q.", answer(job), job, result)
				t.Wait()
				stillOpen(t, results, "jobs was still open")
			}
			t.Do(func() { close(jobs) }, "close(jobs)")
			drain(t, results, 0)

			t.Note("another pool, whose context cannot end: context.Background()")
			complete(t, pool(t, open(), context.Background(), 2, closed(3), recorded(t, 3, doEcho)), 3)
			upToTheDeadline(t, open())
		},
	},
	{
		Name:   "returns-at-once",
		Points: 5,
		Func:   "Pool",
		Rule:   "Pool returns before any job has come and before any result was taken.",
		Why:    "The caller has to start reading, and it cannot read from a channel that it has not been given.",
		Hint: []string{
			"Who can take the first result while Pool has not returned?",
			"Everything that can block belongs in a goroutine: receiving, working, sending, and the wait before the close.",
		},
		Contract: []string{"It returns at once; goroutines of the pool do the work."},
		Source:   "the contract of this lab",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			// The jobs are there and more of them than workers: a pool that
			// wants to be rid of its results first never returns.
			complete(t, pool(t, open(), t.Context(), 2, closed(5), recorded(t, 5, doEcho)), 5)

			jobs := make(chan int)
			results := pool(t, open(), t.Context(), 2, jobs, echo) // nobody sends until it has returned
			t.Do(func() { close(jobs) }, "close(jobs)")
			drain(t, results, 0)
		},
	},
	{
		Name:   "no-jobs",
		Points: 4,
		Func:   "Pool",
		Rule:   "If jobs is closed before any job was sent, work is not called and the channel of results is closed.",
		Why:    "A closed channel gives zero values for ever: a controller must not reconcile the empty key.",
		Hint: []string{
			"What does a receive from a closed and empty channel give you?",
			"Use the second value of the receive: job, ok := <-jobs.",
		},
		Contract: []string{
			"it is closed once, when jobs is closed and drained and the last result has been taken",
			"each job that is received from jobs is given to work exactly once",
		},
		Source: "The Go Programming Language Specification, Receive operator: after a close the zero value, and ok is false",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			works(t, s)
			var calls atomic.Int32
			drain(t, pool(t, s, t.Context(), 3, closed(0), recorded(t, 0, func(_ context.Context, a *conform.Actor, job int) string {
				calls.Add(1)
				a.Breaks("work is called, and there is no job")
				return answer(job)
			})), 0)
			t.Require(calls.Load() == 0, "jobs was closed before any job was sent, and work was called %s.", conform.Count(int(calls.Load()), "time"))
		},
	},
	{
		Name:   "all-workers-work",
		Points: 5,
		Func:   "Pool",
		Rule:   "As many calls of work run at once as there are workers, as long as there are jobs.",
		Why:    "MaxConcurrentReconciles: 8 that works through keys one by one is a queue that only grows.",
		Hint: []string{
			"In this case a job ends only when as many jobs are running as there are workers. What if your workers take turns?",
			"One goroutine for each worker, each with a loop of its own.",
		},
		Contract: []string{
			"At most workers calls of work run at once, and that many do run as long as there are jobs and the results are taken",
			"A worker that waits sleeps until there is something to do",
			"sets no time limits of its own",
			"No goroutine of the pool holds a mutex while it waits for a job, a reader or work",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: MaxConcurrentReconciles (workers)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, workers := range []int{1, 5, 2, 12} { // of five, it shows how many are missing
				byOne(t, open(), workers)
			}
			crowded(t, open())
			sameJob(t, open())
			theRestComesLater(t, open(), 1, 8)
			theRestComesLater(t, open(), 2, 2)
			bursts(t, open(), 0, 0)
			bursts(t, open(), 6, 0)
			bursts(t, open(), 0, 200)
		},
	},
	{
		Name:   "backlog-of-closed-jobs",
		Points: 3,
		Func:   "Pool",
		Rule:   "Jobs that are in the buffer when jobs is closed are still worked on.",
		Why:    "A queue that is shut down is drained, not thrown away: its items have been accepted.",
		Hint: []string{
			"Closing a channel says that no more is sent. Does it say anything about what was sent before?",
			"ok is false only when the channel is closed and its buffer is empty: no other sign is needed.",
		},
		Contract: []string{"What lies in the buffer of a closed channel is still worked on"},
		Source:   "The Go Programming Language Specification, Close: previously sent values are received first",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			complete(t, pool(t, open(), t.Context(), 4, closed(50), recorded(t, 50, doEcho)), 50)
		},
	},
}

// nilAndEqual gives a pool two jobs that are nil and two that are equal, and has work return
// each job as its result.
func nilAndEqual(t *conform.T, s Subject) {
	all := []any{nil, nil, "same", "same"}
	jobs := make(chan any, len(all))
	for _, job := range all {
		jobs <- job
	}
	close(jobs)
	var calls atomic.Int32
	call := t.Call("Pool(ctx, 2, jobs with nil, nil, %q, %q in its buffer, work)", "same", "same")
	results := s.Any(t.Context(), 2, jobs, func(_ context.Context, job any) any {
		calls.Add(1)
		return job
	})
	call.Returned("results")
	came := map[any]int{}
	for n := 0; ; n++ {
		result, more := <-results
		if !more {
			break
		}
		t.Require(n < len(all), "There were %d jobs, and the pool sent more results.", len(all))
		came[result]++
	}
	t.Require(int(calls.Load()) == len(all), "There were %d jobs, nil twice and %q twice, and work was called %s: each is a job.", len(all), "same", conform.Count(int(calls.Load()), "time"))
	for _, result := range []any{nil, "same"} {
		t.Require(came[result] == 2, "work returned %#v twice, and the pool sent it %s: each is a result.", result, conform.Count(came[result], "time"))
	}
}

// failures gives a pool jobs whose results are errors: to the pool they are results as any
// others, and so is the error of a context that is not its own. look sees the context of each call.
func failures(t *conform.T, s Subject, ctx context.Context, look func(ctx context.Context)) {
	all := []error{context.Canceled, context.DeadlineExceeded, errors.New("not found")}
	n := 3 * len(all)
	jobs := make(chan any, n)
	for i := range n {
		jobs <- i
	}
	close(jobs)
	var calls atomic.Int32
	call := t.Call("Pool(ctx, 2, jobs with %d in its buffer, work that returns an error for each)", n)
	results := s.Any(ctx, 2, jobs, func(ctx context.Context, job any) any {
		look(ctx)
		calls.Add(1)
		return all[job.(int)%len(all)]
	})
	call.Returned("results")
	came := map[any]int{}
	for result := range results {
		came[result]++
	}
	t.Require(int(calls.Load()) == n, "There were %d jobs, work returned an error for each, and was called %s. Each job is given to work once, whatever its result is.", n, conform.Count(int(calls.Load()), "time"))
	for _, err := range all {
		t.Require(came[err] == 3, "work returned the error %q three times, and the pool sent it %s: it is a result as any other.", err, conform.Count(came[err], "time"))
	}
}

// allAtOnce gives a pool enough jobs for all its workers and holds each call of work until all
// have come to rest: so many run as there are workers. Then it lets them end. Of an actor that is nil the history has nothing.
func allAtOnce(t *conform.T, s Subject, workers int, jobs <-chan int, work func(held func(*conform.Actor)) Work, remark string) <-chan string {
	var running atomic.Int32
	finish := make(chan struct{})
	defer close(finish)
	results := pool(t, s, t.Context(), workers, jobs, work(func(a *conform.Actor) {
		running.Add(1)
		if a == nil {
			<-finish
			return
		}
		a.Do(func() { <-finish }, "works until all workers have a job")
	}))
	t.Wait()
	theyWork(t, int(running.Load()), workers, remark)
	t.Note("lets the calls of work finish")
	return results
}

// theyWork requires that each worker has a call of work under way.
func theyWork(t *conform.T, running, workers int, remark string) {
	t.Require(running == workers, "The number of calls of work that run at once is %d. There are enough jobs for %s%s: each has to work.", running, conform.Count(workers, "worker"), remark)
}

// byOne has jobs that lie in a buffer, that come one by one, and that come over a narrow buffer.
func byOne(t *conform.T, s Subject, workers int) {
	n := 2 * workers
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	late, _ := send(t, ctx, n)
	narrow, _ := sendOver(t, ctx, make(chan int, 1), n)
	for _, jobs := range []<-chan int{closed(n), late, narrow} {
		complete(t, allAtOnce(t, s, workers, jobs, func(held func(*conform.Actor)) Work {
			return recorded(t, n, func(_ context.Context, a *conform.Actor, job int) string {
				held(a)
				return answer(job)
			})
		}, ""), n)
	}
}

// crowded has more workers than limits that people think of, for jobs that lie in a buffer and
// for jobs that come one by one. The history has none of the calls.
func crowded(t *conform.T, s Subject) {
	const many = 1_100
	late := make(chan int)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	t.Go("sender", func(*conform.Actor) {
		defer close(late)
		for i := range many {
			select {
			case late <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	for _, jobs := range []<-chan int{closed(many), late} {
		sent := 0
		for range allAtOnce(t, s, many, jobs, func(held func(*conform.Actor)) Work {
			return func(context.Context, int) string {
				held(nil)
				return ""
			}
		}, "") {
			sent++
		}
		t.Require(sent == many, "There were %d jobs for as many workers, and %d results came.", many, sent)
	}
}

// sameJob gives a pool the same job several times: each has a call of its own, at once.
func sameJob(t *conform.T, s Subject) {
	const workers, job = 3, 7
	jobs := make(chan int, workers)
	for range workers {
		jobs <- job
	}
	close(jobs)
	t.Note("the jobs are equal: each is %d", job)
	results := drain(t, allAtOnce(t, s, workers, jobs, func(held func(*conform.Actor)) Work {
		return recorded(t, job+1, func(_ context.Context, a *conform.Actor, job int) string {
			held(a)
			return answer(job)
		})
	}, ", though the jobs are equal"), workers)
	t.Require(len(results) == workers, "There were %d jobs, all equal, and %d results came.", workers, len(results))
}

package channelstest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = append([]conform.Case[Subject]{
	{
		Name:   "never-more-than-workers",
		Points: 6,
		Func:   "Pool",
		Rule:   "At most workers calls of work run at once.",
		Why:    "The number of workers is a promise to the service behind them: an API server, a cloud with a quota.",
		Hint: []string{
			"Does your pool have a goroutine for each worker, or one for each job?",
			"A fixed number of goroutines, each calling work from its own loop, cannot break the bound.",
		},
		Source: "controller-runtime pkg/controller/controller.go: MaxConcurrentReconciles (is the maximum number of concurrent Reconciles)",
		Check: func(t *conform.T, open func() Subject) {
			// In virtual time every call that can overlap does; on the real scheduler
			// a bound that is only nearly kept is met.
			t.Virtual(func(t *conform.T) {
				crowd(t, open(), 3, func(job int) { time.Sleep(time.Duration(1+job%3) * time.Second) })
			})
			t.Copies(func(t *conform.T) {
				crowd(t, open(), 1+t.Rand().IntN(4), func(int) {})
			})
		},
	},
	{
		Name:   "slow-job-holds-up-nobody",
		Points: 5,
		Func:   "Pool",
		Rule:   "A slow job delays only the worker that has it.",
		Why:    "One object whose cloud API hangs must not keep the other workers from their jobs.",
		Hint: []string{
			"Do you hand out a batch of jobs and wait for all of it before the next?",
			"Or do you deal the jobs out beforehand, a fixed share for each worker? Let each worker take the next job when it is free.",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation, Bounded parallelism",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			results := pool(t, open(), t.Context(), 2, closed(9), func(_ context.Context, job int) string {
				if job == 0 {
					time.Sleep(8 * time.Second)
				} else {
					time.Sleep(time.Second)
				}
				return answer(job)
			})
			require.Equal(t, answers(9), drain(t, results, 9), "The results are not one for each job.")
			require.Equal(t, 8*time.Second, t.Elapsed(),
				"One job of 8 s and eight of 1 s take two workers 8 s, if nobody waits for the slow one.")
		},
	},
	{
		Name:   "holds-no-more-than-workers",
		Points: 6,
		Func:   "Pool",
		Rule:   "The pool holds at most workers jobs and results together; one result taken lets one more job in.",
		Why:    "A stage that takes work faster than it hands it on is a buffer whose size nobody chose. Backpressure is how a slow reader slows the sender.",
		Hint: []string{
			"Nobody reads the results here. How many jobs may your pool have received when it comes to rest?",
			"What does a buffer in the channel of results do to the answer? And a goroutine that receives jobs before a worker is free?",
			"No buffer; and the goroutine that receives a job is the one that works on it and sends its result.",
		},
		Source: "The Go Memory Model, Channel communication: a receive from an unbuffered channel is synchronized before the completion of the send",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n, workers = 10, 3
			jobs, received := send(t, t.Context(), n)
			results := pool(t, open(), t.Context(), workers, jobs, echo)
			for taken := 0; ; taken++ {
				t.Wait()
				require.Equal(t, min(n, workers+taken), int(received.Load()),
					"With 3 workers and %d results taken, the pool has received another number of jobs than it can hold.", taken)
				if taken == n {
					break
				}
				_, more := read(t, results)
				require.True(t, more, "The channel of results was closed before the last result.")
			}
			require.Empty(t, drain(t, results, 0), "The pool sent more results than it had jobs.")
		},
	},
	{
		Name:   "closes-once-after-the-last",
		Points: 6,
		Func:   "Pool",
		Rule:   "The channel of results is closed exactly once, after every worker has sent its last result.",
		Why:    "A send on a closed channel panics, and so does a second close: either ends the process.",
		Hint: []string{
			"Your workers end at the same moment here. Which of them closes?",
			"Can a worker that finds jobs closed know that no other worker still has a result to send?",
			"No worker may close. Count them with a WaitGroup, and close where Wait returns.",
		},
		Source: "kubernetes#108080, send on a closed channel; The Go Programming Language Specification, Close",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				s := open()
				for tried := 0; tried < rounds && !t.Failed(); tried++ {
					workers := 2 + t.Rand().IntN(6)
					together := probe.Barrier(workers)
					results := pool(t, s, t.Context(), workers, closed(workers), func(_ context.Context, job int) string {
						together()
						return answer(job)
					})
					require.Equal(t, answers(workers), drain(t, results, workers), "Results were lost when all workers ended at once.")
				}
			})
			s := open()
			for range 20_000 { // the two steps of a count and a look are a few nanoseconds apart
				for range s.Pool(t.Context(), 2, closed(0), echo) {
					require.Fail(t, "The pool sent results although there were no jobs.")
				}
			}
		},
	},
	{
		Name:   "last-result-of-a-slow-worker",
		Points: 4,
		Func:   "Pool",
		Rule:   "While one worker still works, the channel of results stays open, however long ago the others ended.",
		Why:    "The object that takes longest is as real as the others.",
		Hint: []string{
			"jobs is closed and empty, and one worker is still working on its last job. Who closes too early?",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation: close after all the send operations are done",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			finish := make(chan struct{})
			results := pool(t, open(), t.Context(), 2, closed(4), func(_ context.Context, job int) string {
				if job == 0 {
					<-finish
				}
				return answer(job)
			})
			for range 3 {
				_, more := read(t, results)
				require.True(t, more, "The channel of results was closed before the last result.")
			}
			t.Note("the first job is still under way, all others are done")
			t.Wait()
			stillOpen(t, results)
			close(finish)
			require.Equal(t, []string{answer(0)}, drain(t, results, 1), "The result of the slowest worker was lost.")
		},
	},
	{
		Name:   "workers-below-one",
		Points: 3,
		Func:   "Pool",
		Rule:   "A number of workers below one counts as one.",
		Why:    "An option left at zero is the usual case: MaxConcurrentReconciles 0 means 1 as well.",
		Hint: []string{
			"How often does a loop over 0, or over -3, run?",
		},
		Source: "controller-runtime pkg/controller/controller.go: MaxConcurrentReconciles (defaults to 1 if it is not positive)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, workers := range []int{0, -1, -3} {
				began := t.Elapsed()
				results := pool(t, open(), t.Context(), workers, closed(4), func(_ context.Context, job int) string {
					time.Sleep(time.Second)
					return answer(job)
				})
				require.Equal(t, answers(4), drain(t, results, 4), "A pool of less than one worker lost its jobs.")
				require.Equal(t, 4*time.Second, t.Elapsed()-began, "Four jobs of 1 s take one worker 4 s.")
			}
		},
	},
	{
		Name:   "results-carry-their-memory",
		Points: 4,
		Func:   "Pool",
		Rule:   "What was written before a job was sent is seen by its work; what work wrote is seen by the goroutine that takes its result.",
		Why:    "Jobs and results are mostly pointers: the channel must be what orders the two sides.",
		Hint: []string{
			"Do job and result go through a channel all the way, or through a shared variable as well?",
			"Look for a slice, map or counter that more than one worker writes.",
		},
		Source: "The Go Memory Model, Channel communication: a send is synchronized before the completion of the corresponding receive",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const n = 24
			in, out := make([]int, n), make([]int, n) // plain memory: the pool has to order the accesses
			jobs := make(chan int)
			t.Go("sender", func(*conform.Actor) {
				defer close(jobs)
				for i := range n {
					in[i] = i + 1
					jobs <- i
				}
			})
			results := pool(t, open(), t.Context(), 1+t.Rand().IntN(6), jobs, func(_ context.Context, job int) string {
				out[job] = 2 * in[job]
				return string(rune(job)) // not answer: fmt shares a pool of buffers, which would order the workers
			})
			seen := 0
			for result := range results {
				job := int([]rune(result)[0])
				require.Equal(t, 2*(job+1), out[job], "A result arrived before what its work had written.")
				seen++
			}
			require.Equal(t, n, seen, "The results are not one for each job.")
		},
	},
	{
		Name:   "idle-costs-nothing",
		Points: 4,
		Func:   "Pool",
		Rule:   "A pool that waits for a job or for a reader uses no processor time.",
		Why:    "Most controllers are idle most of the time, and a hundred of them share a node.",
		Hint: []string{
			"What does a select with a default do when no other case is ready? And the loop around it?",
			"Leave the default out: a select without it sleeps until one of its cases is ready.",
		},
		Source: "The Go Programming Language Specification, Select statements",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			jobs := make(chan int)
			results := pool(t, open(), t.Context(), 2, jobs, echo)
			t.Wait() // returns when the workers sleep: never, if they spin
			jobs <- 1
			t.Wait() // now one has a result that nobody takes
			close(jobs)
			require.Equal(t, []string{answer(1)}, drain(t, results, 1), "The results are not one for each job.")
		},
	},
	{
		Name:   "two-pools-in-a-row",
		Points: 3,
		Func:   "Pool",
		Rule:   "The results of one pool can be the jobs of the next: a close travels from stage to stage.",
		Why:    "List, filter, write: pipelines are made of stages that know nothing of each other but their channels.",
		Hint: []string{
			"The second pool sees the channel of the first as its jobs. What tells it that they are over?",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			first := pool(t, s, t.Context(), 3, closed(12), echo)
			call := t.Call("Pool(ctx, 2, results of the first pool, work)")
			second := s.Next(t.Context(), 2, first, func(_ context.Context, job string) string { return job + ", twice" })
			call.Returned("results")
			want := answers(12)
			for i := range want {
				want[i] += ", twice"
			}
			require.Equal(t, want, drain(t, second, 12), "What left the second pool is not one result for each job of the first.")
		},
	},
	{
		Name:   "leaves-nothing-behind",
		Points: 5,
		Func:   "Pool",
		Rule:   "When all jobs are done, no goroutine of the pool is left, even if ctx is never cancelled.",
		Why:    "A pool for each reconcile and one forgotten goroutine for each pool is an out-of-memory kill on some Sunday night.",
		Hint: []string{
			"Do you have a goroutine that waits for ctx? What ends it if ctx never ends?",
			"You need no such goroutine: every blocking operation of a worker can listen to ctx by itself.",
			"Do you derive a context from ctx? It waits for ctx, too, until it is cancelled itself.",
		},
		Source: "controller-runtime#649, a queue made in New leaked goroutines",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			ctx := forever{context.Background(), make(chan struct{})}
			results := pool(t, open(), ctx, 3, closed(6), echo)
			require.Equal(t, answers(6), drain(t, results, 6), "The results are not one for each job.")
		},
	},
}, cancelling...)

// rounds is how often a copy repeats a scenario about two steps that stand next to each
// other in the subject: what is wrong between them shows only on rare schedules.
const rounds = 100

// forever is a context that the context package does not know: what is derived from it and
// never cancelled keeps a goroutine, which waits for its end.
type forever struct {
	context.Context
	done chan struct{}
}

func (c forever) Done() <-chan struct{} { return c.done }

// crowd has a pool work on 24 jobs and counts how many are under way at once.
func crowd(t *conform.T, s Subject, workers int, work func(job int)) {
	const n = 24
	var running, most atomic.Int32
	results := pool(t, s, t.Context(), workers, closed(n), func(_ context.Context, job int) string {
		now := running.Add(1)
		defer running.Add(-1)
		for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
		}
		work(job)
		return answer(job)
	})
	require.Equal(t, answers(n), drain(t, results, n), "The results are not one for each job.")
	require.LessOrEqual(t, int(most.Load()), workers, "More calls of work ran at once than there are workers.")
}

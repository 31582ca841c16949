package channelstest

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hidden = append([]conform.Case[Subject]{
	{
		Name:   "idle-costs-nothing",
		Points: 2,
		Func:   "Pool",
		Rule:   "A pool that waits for a job, a reader or a call of work uses no processor time.",
		Why:    "Most controllers are idle most of the time, and a hundred of them share a node.",
		Hint: []string{
			"What does a select with a default do when no other case is ready? And the loop around it?",
			"Leave the default out: a select without it sleeps until one of its cases is ready.",
			"A timer that wakes a worker up to look again is work, too, and one that lets it give up is a limit that nobody asked for.",
		},
		Contract: []string{
			"A worker that waits sleeps until there is something to do: a pool with nothing to do uses no processor time.",
			"A worker keeps its result until the reader takes it or ctx ends",
			"sets no time limits of its own",
			"No goroutine of the pool holds a mutex while it waits for a job, a reader or work",
		},
		Source: "The Go Programming Language Specification, Select statements",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			jobs := make(chan int)
			results := pool(t, open(), t.Context(), 2, jobs, recorded(t, 2, doEcho))
			t.Note("lets the workers wait for a job")
			rests(t, 24*time.Hour, "sends no job", "No job came")
			for job := range 2 {
				t.Do(func() { jobs <- job }, "jobs <- %d", job)
			}
			t.Note("lets both workers wait for a reader")
			rests(t, month, "reads nothing", "Both workers had a result, and no reader came")
			close(jobs)
			kept := drain(t, results, 2)
			t.Require(len(kept) == 2, "Both workers had a result, and nobody read for a month. After that %s came before the channel of results was closed: a worker keeps its result until the reader takes it or ctx ends.", conform.Count(len(kept), "result"))
			oneEach(t, kept, 2)
			besideACall(t, open(), nil)
			for _, how := range endings {
				besideACall(t, open(), &how)
			}
		},
	},
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
		Contract: []string{"At most workers calls of work run at once"},
		Source:   "controller-runtime pkg/controller/controller.go: MaxConcurrentReconciles (is the maximum number of concurrent Reconciles)",
		Check: func(t *conform.T, open func() Subject) {
			// In virtual time every call that can overlap does; on the real scheduler
			// a bound that is only nearly kept is met.
			t.Virtual(func(t *conform.T) {
				crowd(t, open(), 3, func(job int) { time.Sleep(time.Duration(1+job%3) * time.Second) })
				t.Note("every third call takes a month")
				crowd(t, open(), 3, func(job int) { time.Sleep([]time.Duration{time.Second, time.Hour, month}[job%3]) })
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
		Contract: []string{
			"a slow job delays only the worker that has it",
			"it is closed once, when jobs is closed and drained and the last result has been taken",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation, Bounded parallelism",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const slow = 8 * time.Second
			var begun atomic.Int32
			var late sync.Once
			results := pool(t, open(), t.Context(), 2, closed(9), recorded(t, 9, func(_ context.Context, a *conform.Actor, job int) string {
				nth := begun.Add(1)
				if due := time.Duration(nth-2) * time.Second; nth > 2 && t.Elapsed() > due {
					late.Do(func() { a.Breaks("begins, and a worker has been free since %v", due) })
				}
				if job == 0 {
					time.Sleep(slow)
				} else {
					time.Sleep(time.Second)
				}
				return answer(job)
			}))
			all := make([]string, 9)
			for i := range all {
				all[i] = next(t, results)
			}
			oneEach(t, all, 9)
			took := t.Elapsed()
			t.Require(took <= slow,
				"One job of 8s and eight of 1s take two workers 8s, if nobody waits for the slow one. They took %v.", took)
			drain(t, results, 0)
			t.Require(t.Elapsed() == took, "jobs was closed and drained, the last result was taken after %v, and the channel of results was closed %v later: nothing was left to wait for.", took, t.Elapsed()-took)
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
		Contract: []string{
			"The returned channel has no buffer. A worker keeps its result until the reader takes it or ctx ends, and only then receives the next job",
			"no worker receives a job that it cannot start at once",
			"that many do run as long as there are jobs",
		},
		Source: "The Go Memory Model, Channel communication: a receive from an unbuffered channel is synchronized before the completion of the send",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, room := range []int{0, 4} { // in the buffer of jobs, which says nothing about that of the results
				slowReader(t, open(), room)
			}
			for _, workers := range []int{1, 3, 17, 300} {
				room := cap(pool(t, open(), t.Context(), workers, closed(0), echo))
				t.Require(room == 0, "The channel of results of a pool of %s has a buffer for %d, and should have none.", conform.Count(workers, "worker"), room)
			}
		},
	},
	{
		Name:   "closes-once-after-the-last",
		Long:   true,
		Points: 6,
		Func:   "Pool",
		Rule:   "The channel of results is closed exactly once, after every worker has sent its last result, also when several end at the same moment.",
		Why:    "A send on a closed channel panics, and so does a second close: either ends the process.",
		Hint: []string{
			"Your workers end at the same moment here. Which of them closes?",
			"Can a worker that finds jobs closed know that no other worker still has a result to send?",
			"No worker may close. Count them with a WaitGroup, and close where Wait returns.",
		},
		Contract: []string{"it is closed once, when jobs is closed and drained and the last result has been taken"},
		Source:   "kubernetes#108080, send on a closed channel; The Go Programming Language Specification, Close",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				s := open()
				for tried := 0; tried < rounds && !t.Failed(); tried++ {
					workers := 2 + t.Rand().IntN(6)
					together := probe.Barrier(workers)
					complete(t, pool(t, s, t.Context(), workers, closed(workers), func(_ context.Context, job int) string {
						together()
						return answer(job)
					}), workers)
				}
			})
			t.Virtual(func(t *conform.T) { endsAtTheLastLook(t, open()) })
			s := open()
			for range 4_000 { // the two steps of a count and a look are a few nanoseconds apart
				for range s.Pool(t.Context(), 2, closed(0), echo) {
					t.Fatalf("There were no jobs, and the pool sent a result.")
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
		Contract: []string{
			"it is closed once, when jobs is closed and drained and the last result has been taken",
			"sets no time limits of its own",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation: close after all the send operations are done",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			finish := make(chan struct{})
			results := pool(t, open(), t.Context(), 2, closed(4), recorded(t, 4, func(_ context.Context, a *conform.Actor, job int) string {
				if job == 0 {
					a.Do(func() { <-finish }, "works on")
				}
				return answer(job)
			}))
			for range 3 {
				next(t, results)
			}
			t.Wait()
			stillOpen(t, results, "job 0 was still being worked on, by one of two workers: only the other has come to its end, for jobs is closed and empty")
			t.Note("lets job 0 finish")
			close(finish)
			t.Do(func() { time.Sleep(month) }, "reads nothing for a month")
			last := drain(t, results, 1)
			t.Require(len(last) == 1, "The channel of results was closed without the result of job 0, the slowest: it waited a month for the reader.")
			t.Require(last[0] == answer(0), "work returned %q for job 0, the slowest, and the pool sent %q.", answer(0), last[0])
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
		Contract: []string{"workers < 1 counts as 1."},
		Source:   "controller-runtime pkg/controller/controller.go: MaxConcurrentReconciles (defaults to 1 if it is not positive)",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, workers := range []int{0, -1, -3} {
				began := t.Elapsed()
				complete(t, pool(t, open(), t.Context(), workers, closed(4), recorded(t, 4, func(_ context.Context, _ *conform.Actor, job int) string {
					time.Sleep(time.Second)
					return answer(job)
				})), 4)
				took := t.Elapsed() - began
				t.Require(took >= 4*time.Second, "With workers %d there was more than one worker: four jobs of 1s took %v, and take one worker 4s.", workers, took)
				t.Require(took <= 4*time.Second, "With workers %d the one worker did not work all the time: four jobs of 1s took %v, and take one worker 4s.", workers, took)
			}
		},
	},
	{
		Name:   "results-carry-their-memory",
		Points: 4,
		Func:   "Pool",
		Rule:   "What was written before a job was sent is seen by its work; what work wrote is seen by the goroutine that takes its result, and that alone uses it then.",
		Why:    "Jobs and results are mostly pointers: the channel must be what orders the two sides.",
		Hint: []string{
			"Do job and result go through a channel all the way, or through a shared variable as well?",
			"Look for a slice, map or counter that more than one worker writes.",
		},
		Contract: []string{
			"What was written before a job was sent is visible to its work, and what work wrote is visible to the reader that takes its result.",
			"From then on the result is the reader's, and the pool does not look at it, nor at the job, if the two share memory.",
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
				t.Require(out[job] == 2*(job+1), "The result of job %d arrived before what its work had written: the reader sees %d, and work wrote %d.", job, out[job], 2*(job+1))
				seen++
			}
			t.Require(seen == n, "There were %d jobs, and %d results came.", n, seen)
			handedOver(t, open())
			handedOverBeforeTheEnd(t, open())
		},
	},
	{
		Name:   "two-pools-in-a-row",
		Points: 3,
		Func:   "Pool",
		Rule:   "Pools know nothing of each other but their channels: the results of one can be the jobs of the next, and a close travels from stage to stage.",
		Why:    "List, filter, write: pipelines are made of stages that know nothing of each other but their channels.",
		Hint: []string{
			"The second pool sees the channel of the first as its jobs. What tells it that they are over?",
			"Is there a variable or a lock of the package that two pools share?",
		},
		Contract: []string{
			"it is closed once, when jobs is closed and drained and the last result has been taken",
			"what work returns is sent on the returned channel exactly once",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation",
		Check: func(t *conform.T, open func() Subject) {
			sideBySide(t, open()) // outside a bubble: there a lock that is held for long is found at once
			t.Virtual(func(t *conform.T) { inARow(t, open()) })
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
		Contract: []string{"no call of work is under way, and soon after no goroutine of the pool is left"},
		Source:   "controller-runtime#649, a queue made in New leaked goroutines",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			ctx, _ := conform.Foreign(t.Context(), nil)
			for _, workers := range []int{3, 300} {
				complete(t, pool(t, open(), ctx, workers, closed(6), recorded(t, 6, doEcho)), 6)
			}
			failures(t, open(), ctx, func(context.Context) {})
			t.Note("ctx has not ended, and never will: what waits for its end stays")
		},
	},
	{
		Name:   "panic-ends-the-process",
		Alone:  true, // a process that was to end proves nothing of other cases
		Points: 2,
		Func:   "Pool",
		Rule:   "A panic of work is not recovered: it ends the process.",
		Why:    "A controller that goes on after an unknown bug acts on state that nobody has checked. One that ends is started afresh.",
		Hint: []string{
			"Who would learn of a panic that your pool recovers?",
			"Is there a result for the job whose work panicked? The contract wants exactly one for each.",
		},
		Contract: []string{"A panic of work is not recovered: it ends the process, as a panic in any goroutine does."},
		Source:   "apimachinery pkg/util/runtime/runtime.go: HandleCrash, ReallyCrash",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			works(t, s)
			fatal := t.Fatal()
			panics(t, s, t.Context(), "A call of work panicked", fatal, fatal, func(*conform.Actor) {})
			fatal = t.Fatal()
			panics(t, s, t.Context(), "A call of work panicked with an error that wraps context.Canceled", fatal, ofContext{fatal}, func(*conform.Actor) {})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			fatal = t.Fatal()
			panics(t, s, ctx, "A call of work panicked after ctx was cancelled", fatal, fatal, func(a *conform.Actor) {
				a.Do(cancel, "cancel()")
			})
			ctx, pass := conform.Foreign(t.Context(), context.DeadlineExceeded)
			fatal = t.Fatal()
			panics(t, s, ctx, "A call of work panicked after the deadline of ctx had passed", fatal, fatal, func(a *conform.Actor) {
				a.Do(pass, "the deadline of ctx passes")
			})
			fatal = t.Fatal()
			panics(t, s, t.Context(), "A call of work panicked with a runtime.Error", fatal, bug{fatal}, func(*conform.Actor) {})
			panicsWithResult(t, s, t.Fatal())
			panicsBeside(t, s)
		},
	},
}, cancelling...)

// rounds is how often a copy repeats a scenario about two steps that stand next to each
// other in the subject: what is wrong between them shows only on rare schedules.
const rounds = 25

// besideACall has one of two workers in a call of work when the other has come to its end:
// there are no more jobs, or ctx has ended.
func besideACall(t *conform.T, s Subject, how *ending) {
	jobs, finish := filled(1), make(chan struct{})
	ctx, end, cancel := t.Context(), func() {}, func() {}
	why := "jobs was closed and empty"
	if how != nil {
		ctx, end, cancel = how.begin(t)
		why = how.name
	}
	defer cancel()
	results := pool(t, s, ctx, 2, jobs, recorded(t, 1, func(_ context.Context, a *conform.Actor, job int) string {
		a.Do(func() { <-finish }, "works on")
		return answer(job)
	}))
	if how == nil {
		close(jobs)
	}
	t.Wait()
	end()
	t.Note("%s; a call of work runs on", why)
	rests(t, 24*time.Hour, "lets it run", "While a call of work ran, "+why)
	t.Note("lets the call of work finish")
	close(finish)
	if how != nil {
		close(jobs) // whether the pool waits for that is another case's question
	}
	atMostOnce(t, results, 1)
}

// crowd has a pool work on 24 jobs and counts how many are under way at once.
func crowd(t *conform.T, s Subject, workers int, work func(job int)) {
	const n = 24
	var running probe.Peak
	var once sync.Once
	complete(t, pool(t, s, t.Context(), workers, closed(n), recorded(t, n, func(_ context.Context, a *conform.Actor, job int) string {
		now := running.Enter()
		defer running.Leave()
		if now > workers {
			once.Do(func() { a.Breaks("%d calls of work run at once, and there are %d workers", now, workers) })
		}
		work(job)
		return answer(job)
	})), n)
	t.Require(running.Most() <= workers, "%d calls of work ran at once, and there are %d workers.", running.Most(), workers)
}

// slowReader has a pool work for a reader that takes a result only when all has come to rest.
func slowReader(t *conform.T, s Subject, room int) {
	const n, workers = 10, 3
	jobs, received := sendOver(t, t.Context(), make(chan int, room), n)
	results := pool(t, s, t.Context(), workers, jobs, recorded(t, n, doEcho))
	for taken := range n + 1 {
		t.Wait()
		got, want := int(received.Load())-len(jobs), min(n, workers+taken)
		t.Require(got <= want, "The pool of %s holds %d jobs and results together, and may hold %d: it has received %s, and %d results were taken.", conform.Count(workers, "worker"), got-taken, workers, conform.Count(got, "job"), taken)
		t.Require(got >= want, "A worker is idle though there are jobs: the pool of %s has received %s, and should have received %d, for %d results were taken.", conform.Count(workers, "worker"), conform.Count(got, "job"), want, taken)
		if taken < n {
			next(t, results)
		}
	}
	drain(t, results, 0)
}

// sideBySide has a pool come to its end while another one has a call of work under way.
func sideBySide(t *conform.T, s Subject) {
	finish := make(chan struct{})
	long := pool(t, s, t.Context(), 2, closed(1), recorded(t, 1, func(_ context.Context, a *conform.Actor, job int) string {
		a.Do(func() { <-finish }, "works on")
		return answer(job)
	}))
	t.Wait()
	complete(t, pool(t, s, t.Context(), 2, closed(3), recorded(t, 3, doEcho)), 3)
	t.Note("lets the job of the first pool finish")
	close(finish)
	complete(t, long, 1)
}

// inARow gives the results of a pool to another one as its jobs.
func inARow(t *conform.T, s Subject) {
	first := pool(t, s, t.Context(), 3, closed(12), recorded(t, 12, doEcho))
	call := t.Call("Pool(ctx, 2, results of the first pool, work)")
	second := s.Next(t.Context(), 2, first, func(_ context.Context, job string) string { return job + ", twice" })
	call.Returned("results")
	got := drain(t, second, 12)
	for i, result := range got {
		once, twice := strings.CutSuffix(result, ", twice")
		t.Require(twice, "The second pool sent %q, which no call of its work returned.", result)
		got[i] = once
	}
	oneEach(t, got, 12)
}

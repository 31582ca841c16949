package channelstest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// cancelling is the part of the suite about a context that ends too early.
var cancelling = []conform.Case[Subject]{
	{
		Name:   "cancelled-before-start",
		Points: 4,
		Func:   "Pool",
		Rule:   "With a context that is already cancelled, work is never called and the channel of results is closed.",
		Why:    "A controller that has lost its lease must not begin one more write.",
		Hint: []string{
			"A job is ready and ctx is done: which case does a select take?",
			"Either, at random. Look at ctx.Err() again after the select, before you call work.",
		},
		Contract: []string{"When ctx is cancelled, or its deadline passes, the pool makes no further call of work, waits for those under way, and then closes the returned channel at once"},
		Source:   "The Go Programming Language Specification, Select statements: uniform pseudo-random selection",
		Mode:     conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			works(t, s)
			ctx, cancel := context.WithCancel(t.Context())
			t.Do(cancel, "cancel()")
			neverCalled(t, s, ctx, "The context was cancelled")
			ctx, cancel = context.WithTimeout(t.Context(), 0)
			defer cancel()
			t.Note("another ctx, whose deadline has passed")
			neverCalled(t, s, ctx, "The deadline of the context had passed")
			ctx, because := context.WithCancelCause(t.Context())
			t.Do(func() { because(errors.New("the lease was lost")) }, "another ctx, cancelled with a cause of its own")
			neverCalled(t, s, ctx, "The context was cancelled with a cause")
		},
	},
	{
		Name:   "cancel-starts-no-more",
		Points: 4,
		Func:   "Pool",
		Rule:   "After ctx is cancelled no further call of work is made, however many jobs there are.",
		Why:    "SIGTERM gives a pod thirty seconds: it should finish the work it has begun and start nothing new.",
		Hint: []string{
			"After a job is done, both the next job and ctx.Done() are ready. Which one does your worker take?",
			"A select picks at random among cases that are ready: look at ctx.Err() before each call of work.",
		},
		Contract: []string{"When ctx is cancelled, or its deadline passes, the pool makes no further call of work"},
		Source:   "Go blog, Go Concurrency Patterns: Context",
		Check: func(t *conform.T, open func() Subject) {
			for round := range rounds { // which of two ready cases a select takes is left to chance
				t.Virtual(func(t *conform.T) { pastTheEnd(t, open(), endings[round%len(endings)]) })
			}
			t.Copies(func(t *conform.T) {
				const workers = 3
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var calls atomic.Int32
				started, finish := make(chan struct{}, 64), make(chan struct{})
				results := pool(t, open(), ctx, workers, filled(32), recorded(t, 32, func(_ context.Context, a *conform.Actor, job int) string {
					if calls.Add(1) == workers+1 {
						a.Breaks("work is called, and ctx has ended")
					}
					started <- struct{}{}
					<-finish
					return answer(job)
				}))
				for range workers {
					<-started
				}
				t.Do(cancel, "cancel()")
				t.Note("lets the calls of work finish")
				close(finish)
				drain(t, results, 32)
				further := calls.Load() - workers
				t.Require(further == 0, "All %d workers were in a call of work when ctx was cancelled, and after that the pool made %d more.", workers, further)
			})
			t.Copies(func(t *conform.T) {
				s := open()
				for tried := 0; tried < rounds && !t.Failed(); tried++ {
					lateJobs(t, s)
				}
			})
		},
	},
	{
		Name:   "cancel-while-idle",
		Points: 5,
		Func:   "Pool",
		Rule:   "When ctx is cancelled, or its deadline passes, while the workers wait for a job, they end and the channel of results is closed, though jobs stays open.",
		Why:    "Nobody closes the queue when a controller has to stop: the stop has to reach its workers where they sleep.",
		Hint: []string{
			"Where does a worker sleep while there is no job? What else must it listen to there?",
			"range over jobs listens to nothing but jobs. A select on jobs and on ctx.Done() hears both.",
		},
		Contract: []string{
			"then closes the returned channel at once, whether or not anybody reads from it and whether or not jobs is ever closed",
			"No goroutine of the pool holds a mutex while it waits for a job, a reader or work",
		},
		Source: "Go blog, Go Concurrency Patterns: Context",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, how := range endings {
				for _, workers := range []int{3, 1} {
					whileIdle(t, open(), workers, how)
				}
			}
		},
	},
	{
		Name:   "cancel-with-nobody-reading",
		Points: 6,
		Func:   "Pool",
		Rule:   "When ctx has ended the pool closes its channel and leaves no goroutine behind, even if nobody takes the results.",
		Why:    "A watch that blocked on a result after its reader had gone stayed for ever: each such watch leaked a goroutine.",
		Hint: []string{
			"The reader has gone away. Where are your workers blocked now?",
			"A send blocks as well as a receive. It needs the same select with ctx.Done().",
		},
		Contract: []string{
			"then closes the returned channel at once, whether or not anybody reads from it and whether or not jobs is ever closed",
			"soon after no goroutine of the pool is left",
			"an error as any other value",
			"No goroutine of the pool holds a mutex while it waits for a job, a reader or work",
		},
		Source: "kubernetes#38670, a watcher blocked on a full result channel after Stop; kubernetes#25331, leaked on an unread channel",
		Check: func(t *conform.T, open func() Subject) {
			// Twice: a look at the channel frees a worker that is stuck on it, and
			// the leak is no longer seen.
			for _, over := range []bool{false, true} {
				t.Virtual(func(t *conform.T) { abandon(t, open(), over, endings[0]) })
				for _, how := range endings {
					t.Virtual(func(t *conform.T) {
						closedUnread(t, abandon(t, open(), over, how), "Workers held results when "+how.name)
					})
				}
			}
			for _, how := range endings {
				for _, workers := range []int{1, 3} {
					t.Virtual(func(t *conform.T) { finishesUnread(t, open(), workers, how) })
				}
				t.Virtual(func(t *conform.T) { failsUnread(t, open(), how) })
			}
		},
	},
	{
		Name:   "closed-means-quiet",
		Points: 5,
		Func:   "Pool",
		Rule:   "When ctx has ended, the channel of results is closed when the running calls of work have returned and not before, and carries nothing that work did not return.",
		Why:    "The reader of the close concludes that nothing writes now, and lets the next leader in.",
		Hint: []string{
			"This work is deaf to its context. Who closes your channel when ctx is done, and does it wait?",
			"There is one place to close: after the WaitGroup's Wait. A cancelled pool ends the same way, only sooner.",
			"Look at each path on which a job is dropped or a result is lost: is it counted as done, once, and is anything sent?",
		},
		Contract: []string{
			"the pool makes no further call of work, waits for those under way, and then closes the returned channel at once",
			"When the returned channel is closed, no call of work is under way",
			"may still be sent, once and as work returned it, or may be lost",
		},
		Source: "kubernetes#135072, ShutDown returned before its goroutine had ended",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, how := range endings {
				busy(t, open(), 2, filled(4), how)
				busy(t, open(), 3, closed(2), how) // the third worker has already come to its end
			}
			for round := range rounds { // whether a result is sent or lost is left to a select
				how := endings[round%len(endings)]
				twoReaders(t, open(), how)
				failsLate(t, open(), how)
				for left := range 6 {
					endsAtALook(t, open(), 1+left%2*2, 1+left)
				}
			}
		},
	},
	{
		Name:   "work-gets-the-context",
		Points: 3,
		Func:   "Pool",
		Rule:   "work receives ctx or a context derived from it: it sees its values, its deadline and its end, and no end before that.",
		Why:    "Only the work itself can cut short an API call that hangs.",
		Hint: []string{
			"Which context do you pass to work?",
		},
		Contract: []string{
			"work receives ctx, or a context derived from it, with the values and the deadline of ctx, and with no other deadline.",
			"While work runs, that context ends when ctx does or a moment later, with the same error and cause, and not before.",
		},
		Source: `Go context/context.go: "pass a Context explicitly to each function that needs"`,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			outlastsOthers(t, open())
			outlastsFailures(t, open())
			outlastsMany(t, open())
			farDeadline(t, open())
			endsByItself(t, open())
			type key struct{}
			cause := errors.New("the lease was lost")
			ctx, cancel := context.WithTimeoutCause(context.WithValue(t.Context(), key{}, "leader"), time.Second, cause)
			defer cancel()
			want, _ := ctx.Deadline()
			began := t.Elapsed()
			t.Ends(ctx)
			var calls, strangers, endless, ownEnd atomic.Int32
			results := pool(t, open(), ctx, 2, filled(2), recorded(t, 2, func(ctx context.Context, a *conform.Actor, job int) string {
				calls.Add(1)
				if ctx.Value(key{}) != "leader" {
					strangers.Add(1)
				}
				a.Do(func() { <-ctx.Done() }, "waits until the context that it got ends")
				if deadline, _ := ctx.Deadline(); deadline != want {
					endless.Add(1)
				}
				if ctx.Err() != context.DeadlineExceeded || context.Cause(ctx) != cause {
					ownEnd.Add(1)
				}
				return answer(job)
			}))
			drain(t, results, 2)
			t.Require(calls.Load() == 2, "There are 2 jobs for 2 workers, and ctx ends 1s after Pool was called. The channel of results was closed after %v, and work was called %s.", t.Elapsed()-began, conform.Count(int(calls.Load()), "time"))
			t.Require(strangers.Load() == 0, "The context that work got does not carry the values of the one that Pool got: it is not derived from it.")
			t.Require(endless.Load() == 0, "The context that work got does not have the deadline of the one that Pool got.")
			t.Require(ownEnd.Load() == 0, "The context that work got ended with another error or cause than the one that Pool got.")
		},
	},
	{
		Name:   "leaves-jobs-alone",
		Points: 3,
		Func:   "Pool",
		Rule:   "A cancelled pool does not drain jobs: the jobs that no worker had taken are still there.",
		Why:    "A job that is taken and not done is lost. What stays in the queue is there for the next leader.",
		Hint: []string{
			"Whose channel is jobs, and who else may still want to read from it?",
			"Emptying jobs to release its sender is not the pool's business: a sender listens to ctx itself.",
		},
		Contract: []string{
			"each worker may drop one that it had received when ctx ended and had not begun, and one that it receives afterwards, and no more.",
			"Apart from that the pool does not drain jobs",
			"No goroutine of the pool holds a mutex while it waits for a job, a reader or work",
			"may still be sent, once and as work returned it, or may be lost",
		},
		Source: "the contract of this lab",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for round := range rounds { // a worker that goes on to take jobs, takes one with every second select
				oneInHand(t, s, endings[round%len(endings)])
			}
			for range 8 * rounds {
				droppedAtOnce(t, s)
			}
			for _, how := range endings {
				blockedSenders(t, s, how)
				jobsAtTheEnd(t, s, how)
			}
			for range rounds {
				for left := range 4 {
					workers := 1 + left%2*2
					lost := endsAtALook(t, s, workers, 1+left)
					// A pool may be in the middle of two steps, the receive and the call, and drop a job in each.
					t.Require(lost <= 2*workers, "The context ended while there were jobs for the %s of the pool. The pool has taken %d with which it did not call work: each worker may drop one that it had received, and one that it receives then.", conform.Count(workers, "worker"), lost)
				}
			}
		},
	},
}

// ending is one of the ways in which ctx ends. To a pool they are the same.
type ending struct {
	name  string // a sentence without its full stop
	begin func(t *conform.T) (ctx context.Context, end, release func())
}

var endings = []ending{
	{"ctx was cancelled", func(t *conform.T) (context.Context, func(), func()) {
		ctx, cancel := context.WithCancel(t.Context())
		return ctx, func() { t.Do(cancel, "cancel()") }, cancel
	}},
	{"the deadline of ctx passed", func(t *conform.T) (context.Context, func(), func()) {
		ctx, cancel := t.WithTimeout(t.Context(), time.Hour, "ctx")
		return ctx, func() { t.Do(func() { <-ctx.Done() }, "waits for the deadline of ctx") }, cancel
	}},
	{"ctx was cancelled with a cause", func(t *conform.T) (context.Context, func(), func()) {
		ctx, because := context.WithCancelCause(t.Context())
		lost := errors.New("the lease was lost")
		return ctx, func() { t.Do(func() { because(lost) }, "cancel(%s), a cause", conform.Said(lost)) }, func() { because(nil) }
	}},
}

// oneInHand ends the context of a pool whose only worker has a job, and finds the others where they were.
func oneInHand(t *conform.T, s Subject, how ending) {
	const n = 64
	ctx, end, release := how.begin(t)
	defer release()
	jobs := filled(n)
	results := pool(t, s, ctx, 1, jobs, recorded(t, n, func(ctx context.Context, a *conform.Actor, job int) string {
		a.Do(func() { <-ctx.Done() }, "waits until its context ends")
		return answer(job)
	}))
	t.Wait()
	end()
	drain(t, results, n)
	t.Wait()
	took := n - len(jobs)
	t.Note("of %d jobs, %d are left", n, len(jobs))
	t.Require(took > 0, "There are %d jobs, and the pool took none.", n)
	// The worker had one job under way and may have received one more.
	t.Require(took <= 2, "The only worker had its first job when %s. The pool has taken %d jobs since then and worked on none of them: it may have been about to receive one, and must leave the next where it is.", how.name, took-1)
}

// droppedAtOnce gives a pool of one worker jobs and a context that has ended.
func droppedAtOnce(t *conform.T, s Subject) {
	const n = 16
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	jobs := filled(n)
	drain(t, pool(t, s, ctx, 1, jobs, recorded(t, n, doEcho)), n)
	t.Wait()
	took := n - len(jobs)
	t.Require(took <= 1, "The context was cancelled before Pool was called. The pool of one worker has taken %d jobs: the worker may drop one, and must leave the next where it is.", took)
}

// whileIdle ends the context of a pool whose workers all wait for a job.
func whileIdle(t *conform.T, s Subject, workers int, how ending) {
	ctx, end, release := how.begin(t)
	defer release()
	jobs := make(chan int, 1)
	results := pool(t, s, ctx, workers, jobs, recorded(t, 1, doEcho))
	t.Do(func() { jobs <- 0 }, "jobs <- 0")
	result := next(t, results)
	t.Require(result == answer(0), "work returned %q for job 0, and the pool sent %q.", answer(0), result)
	t.Wait()
	t.Note("all workers wait for a job")
	end()
	drain(t, results, 0)
}

// closedUnread requires that results is closed, and nobody has read from it since ctx ended.
func closedUnread[R any](t *conform.T, results <-chan R, story string) {
	select {
	case result, more := <-results:
		t.Require(!more, "%s. Nobody reads the results, and a worker still waits to send “%v”.", story, result)
	default:
		t.Fatalf("%s. Nobody reads the results, and their channel was not closed.", story)
	}
}

// neverCalled gives a pool jobs and a context that has ended.
func neverCalled(t *conform.T, s Subject, ctx context.Context, ended string) {
	var calls atomic.Int32
	drain(t, pool(t, s, ctx, 4, filled(16), recorded(t, 16, func(_ context.Context, a *conform.Actor, job int) string {
		if calls.Add(1) == 1 {
			a.Breaks("work is called, and ctx has ended")
		}
		return answer(job)
	})), 16)
	t.Require(calls.Load() == 0, "%s before Pool was called, and work was called %s.", ended, conform.Count(int(calls.Load()), "time"))
}

// busy ends the context of a pool of which two calls of work run.
func busy(t *conform.T, s Subject, workers int, jobs <-chan int, how ending) {
	ctx, end, release := how.begin(t)
	defer release()
	finish := make(chan struct{})
	var running atomic.Int32
	n := len(jobs)
	results := pool(t, s, ctx, workers, jobs, recorded(t, n, func(_ context.Context, _ *conform.Actor, job int) string {
		running.Add(1)
		defer running.Add(-1)
		<-finish
		return answer(job)
	}))
	t.Wait()
	t.Require(running.Load() == 2, "There are %d jobs for %d workers, and %d calls of work run.", n, workers, running.Load())
	end()
	t.Do(func() { time.Sleep(month) }, "lets the calls of work run for a month")
	stillOpen(t, results, "two calls of work, under way when "+how.name+", were still running")
	t.Note("lets the calls of work finish")
	close(finish)
	atMostOnce(t, results, n)
	left := running.Load()
	t.Require(left == 0, "The channel of results was closed while %d calls of work were still running.", left)
}

// twoReaders ends the context of a pool whose only call of work runs and whose results two readers wait for.
func twoReaders(t *conform.T, s Subject, how ending) {
	ctx, end, release := how.begin(t)
	defer release()
	finish := make(chan struct{})
	results := pool(t, s, ctx, 1, closed(1), recorded(t, 1, func(_ context.Context, _ *conform.Actor, job int) string {
		<-finish
		return answer(job)
	}))
	var mu sync.Mutex
	var all []string // guarded by mu
	for range 2 {
		t.Go("reader", func(*conform.Actor) {
			for result := range results {
				mu.Lock()
				all = append(all, result)
				mu.Unlock()
			}
		})
	}
	t.Wait()
	end()
	t.Wait()
	t.Note("lets the call of work finish")
	close(finish)
	t.Join()
	slices.Sort(all)
	genuine(t, all, 1)
}

// jobsAtTheEnd ends the context of a pool whose workers all wait for a job, and sends many right after.
func jobsAtTheEnd(t *conform.T, s Subject, how ending) {
	const n, workers = 64, 3
	ctx, end, release := how.begin(t)
	defer release()
	jobs := make(chan int, n)
	results := pool(t, s, ctx, workers, jobs, recorded(t, n, doEcho))
	t.Wait()
	end()
	for job := range n {
		jobs <- job
	}
	t.Note("%d jobs are in the buffer", n)
	drain(t, results, n)
	t.Wait()
	took := n - len(jobs)
	t.Require(took <= workers, "All %d workers waited for a job when %s. The pool has taken %d jobs since then, and must leave them where they are: each worker may drop one, and no more.", workers, how.name, took)
}

// endsAtALook ends the context of a pool that is at work right after it has said that it lives, at
// a given look at it, and reads until the pool closes. It returns how many jobs were taken and lost.
func endsAtALook(t *conform.T, s Subject, workers, left int) (lost int) {
	const n = 64
	inner, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx := &overtaken{Context: inner, reason: context.Canceled, late: cancel}
	ctx.left.Store(int32(left))
	jobs := filled(n)
	var calls atomic.Int32
	call := t.Call("Pool(ctx, %d, jobs with %d in its buffer, work), whose ctx ends after it was asked for its Err %s", workers, n, conform.Count(left, "time"))
	results := s.Pool(ctx, workers, jobs, func(_ context.Context, job int) string {
		if calls.Add(1) == n/2 {
			cancel() // the subject has not asked so often
		}
		return answer(job)
	})
	call.Returned("results")
	atMostOnce(t, results, n)
	t.Wait()
	return n - len(jobs) - int(calls.Load())
}

// endsAtTheLastLook ends the context right after it has said that it lives, at each of the looks at
// it of a pool that comes to its end: a goroutine that has looked may think that no other one closes.
func endsAtTheLastLook(t *conform.T, s Subject) {
	for left := range 16 {
		workers := 1 + left%2*2
		inner, cancel := context.WithCancel(t.Context())
		ctx := &overtaken{Context: inner, reason: context.Canceled, late: cancel}
		ctx.left.Store(int32(1 + left/2))
		call := t.Call("Pool(ctx, %d, jobs with 1 in its buffer and closed, work), whose ctx ends after it was asked for its Err %s", workers, conform.Count(1+left/2, "time"))
		results := s.Pool(ctx, workers, closed(1), echo)
		call.Returned("results")
		atMostOnce(t, results, 1)
		t.Wait()
		cancel()
	}
}

// blockedSenders ends the context of a pool for whose only worker several senders wait. It may
// have been about to receive the job of one of them.
func blockedSenders(t *conform.T, s Subject, how ending) {
	const n = 5
	ctx, end, release := how.begin(t)
	defer release()
	jobs, giveUp := make(chan int), make(chan struct{})
	leave := sync.OnceFunc(func() { close(giveUp) })
	defer leave()
	results := pool(t, s, ctx, 1, jobs, recorded(t, n, func(ctx context.Context, a *conform.Actor, job int) string {
		a.Do(func() { <-ctx.Done() }, "waits until its context ends")
		return answer(job)
	}))
	t.Do(func() { jobs <- 0 }, "jobs <- 0")
	var took atomic.Int32
	for i := 1; i < n; i++ {
		t.Go("sender", func(a *conform.Actor) {
			call := a.Call("jobs <- %d", i)
			select {
			case jobs <- i:
				took.Add(1)
				call.Returned("received")
			case <-giveUp:
				call.Returned("given up")
			}
		})
	}
	t.Wait()
	end()
	drain(t, results, n)
	t.Wait()
	leave()
	t.Join()
	t.Require(took.Load() <= 1, "The only worker had its first job when %s. The pool has taken %d jobs of blocked senders since then and worked on none of them: the worker may drop one, and the pool does not drain jobs.", how.name, took.Load())
}

// abandon has a pool work until each worker holds a result that nobody takes, and
// ends its context. If over, there are no more jobs, and workers without one have ended.
func abandon(t *conform.T, s Subject, over bool, how ending) <-chan string {
	ctx, end, release := how.begin(t)
	defer release()
	work := doEcho
	var jobs <-chan int
	if over {
		jobs = closed(3)
		work = func(ctx context.Context, a *conform.Actor, job int) string {
			a.Do(func() { time.Sleep(time.Second) }, "works for 1s")
			return answer(job)
		}
	} else {
		jobs, _ = send(t, ctx, 10)
	}
	results := pool(t, s, ctx, 4, jobs, recorded(t, 10, work))
	next(t, results)
	t.Wait()
	t.Note("reads no more")
	end()
	t.Wait()
	return results
}

// finishesUnread ends the context of a pool while each of its workers is in a call of work, which returns
// a result that nobody takes.
func finishesUnread(t *conform.T, s Subject, workers int, how ending) {
	ctx, end, release := how.begin(t)
	defer release()
	finish := make(chan struct{})
	n := 2 * workers
	results := pool(t, s, ctx, workers, filled(n), recorded(t, n, func(_ context.Context, _ *conform.Actor, job int) string {
		<-finish
		return answer(job)
	}))
	t.Wait()
	end()
	t.Wait()
	t.Note("lets the calls of work finish, and reads no results")
	close(finish)
	t.Wait()
	closedUnread(t, results, "Calls of work ran when "+how.name+", and they have returned")
}

// lateJobs offers jobs right after the end of ctx, to workers that have just begun to wait or are
// about to, some of them after jobs that they have done. None of the late ones may be worked on: the
// send comes after the cancel, and the receive after the send.
func lateJobs(t *conform.T, s Subject) {
	workers, early := 1+3*t.Rand().IntN(2), t.Rand().IntN(4)
	reason := []error{context.Canceled, context.DeadlineExceeded}[t.Rand().IntN(2)]
	inner, cancel := context.WithCancel(t.Context())
	defer cancel()
	jobs, giveUp := make(chan int, (early+workers)*t.Rand().IntN(2)), make(chan struct{})
	var senders sync.WaitGroup
	defer senders.Wait()
	defer close(giveUp)
	overtaking := t.Named("ctx")
	late := sync.OnceFunc(func() {
		overtaking.Do(cancel, "ends with %s", conform.Said(reason))
		overtaking.Note("%s: there is a sender for each", conform.Count(workers, "job"))
		offer(jobs, early, workers, &senders, giveUp)
	})
	ctx := &overtaken{Context: inner, reason: reason, late: late}
	ctx.left.Store(int32(1 + t.Rand().IntN(2*workers+3*early)))
	var calls atomic.Int32
	results := pool(t, s, ctx, workers, jobs, recorded(t, early+workers, func(_ context.Context, a *conform.Actor, job int) string {
		if job >= early && calls.Add(1) == 1 {
			a.Breaks("work is called, and ctx had ended before this job was sent")
		}
		return answer(job)
	}))
	for job := 0; job < early && inner.Err() == nil; job++ {
		sendBurst(inner, t.Actor, jobs, job, 1)
		read(t, results)
	}
	for range t.Rand().IntN(workers + 1) {
		runtime.Gosched() // so many workers have got to their select
	}
	late()
	drain(t, results, early+workers)
	t.Require(calls.Load() == 0, "Jobs were sent after the context had ended with %s, and work was called with %d of them.", conform.Said(reason), calls.Load())
}

// offer sends n jobs, the first of which is from. Those that do not fit into the buffer have a sender each, which gives
// up when giveUp is closed; most of them wait for a receiver when offer returns.
func offer(jobs chan<- int, from, n int, senders *sync.WaitGroup, giveUp <-chan struct{}) {
	var about atomic.Int32
	for i := from; i < from+n; i++ {
		if cap(jobs) > 0 {
			jobs <- i
			about.Add(1)
			continue
		}
		senders.Go(func() {
			about.Add(1)
			select {
			case jobs <- i:
			case <-giveUp:
			}
		})
	}
	for tried := 0; tried < 50 && int(about.Load()) < n; tried++ {
		runtime.Gosched()
	}
}

// overtaken is a context that ends when it has just said that it has not: after so many
// looks at Err as are left.
type overtaken struct {
	context.Context
	reason error // what Err returns then
	left   atomic.Int32
	late   func()
}

func (c *overtaken) Err() error {
	err := c.Context.Err()
	if c.left.Add(-1) == 0 {
		c.late()
	}
	if err != nil {
		return c.reason
	}
	return nil
}

// pastTheEnd ends the context while each worker is in a call of work, with more jobs ready.
func pastTheEnd(t *conform.T, s Subject, how ending) {
	const n, workers = 12, 3
	ctx, end, release := how.begin(t)
	defer release()
	finish := make(chan struct{})
	var calls atomic.Int32
	results := pool(t, s, ctx, workers, filled(n), recorded(t, n, func(_ context.Context, a *conform.Actor, job int) string {
		if calls.Add(1) == workers+1 {
			a.Breaks("work is called, and %s", how.name)
		}
		a.Do(func() { <-finish }, "works on")
		return answer(job)
	}))
	t.Wait()
	end()
	t.Note("lets the calls of work finish")
	close(finish)
	drain(t, results, n)
	further := calls.Load() - workers
	t.Require(further == 0, "All %d workers were in a call of work when %s, and after that the pool made %d more.", workers, how.name, further)
}

// errLost is a result.
var errLost = errors.New("the connection was lost")

// failing has a pool of one worker call a work that waits for finish and returns an error.
func failing(t *conform.T, s Subject, ctx context.Context, finish <-chan struct{}) <-chan any {
	jobs := make(chan any, 1)
	jobs <- 0
	call := t.Call("Pool(ctx, 1, jobs with 1 in its buffer, work that returns an error)")
	results := s.Any(ctx, 1, jobs, func(context.Context, any) any {
		<-finish
		return errLost
	})
	call.Returned("results")
	t.Wait()
	return results
}

// failsUnread ends the context of a pool whose only result is an error, which nobody takes.
func failsUnread(t *conform.T, s Subject, how ending) {
	ctx, end, release := how.begin(t)
	defer release()
	finish := make(chan struct{})
	close(finish)
	results := failing(t, s, ctx, finish)
	end()
	t.Wait()
	closedUnread(t, results, "work returned an error, which is a result like any other, and "+how.name)
}

// failsLate ends the context of a pool whose only call of work runs, and then returns an error.
func failsLate(t *conform.T, s Subject, how ending) {
	ctx, end, release := how.begin(t)
	defer release()
	finish := make(chan struct{})
	results := failing(t, s, ctx, finish)
	end()
	t.Note("lets the call of work finish")
	close(finish)
	for result := range results {
		t.Require(result == errLost, "work returned the error %q when ctx had ended, and the pool sent %q: a late result is sent as work returned it, or lost.", errLost, result)
	}
}

// Package channelstest is the conformance suite of lab 02.
//
// What it can miss: a bound that is broken, or a result that is lost, only on
// schedules which 16 copies on this machine never meet; a limit above 1100 workers, or above 1200 jobs
// for a worker; a time limit above a month; a call of work that begins right after a look at ctx, and after its end; a job more than
// one for each worker that is taken after the end of ctx now and then; a mutex that is held round a wait for which
// no other worker waits; and memory that is set aside for workers
// who never come, since a goroutine for each may be there from the start. A pool that looks at a
// context derived from ctx only is right here: each ctx whose end is at stake is the context package's own. A panic
// that only some values stop is seen if the value is an error.
//
// The rule that a second Stop is safe has no case: this pool has no Stop. It is
// stopped by its context, which may be cancelled any number of times.
package channelstest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// Work is what a pool calls for each job.
type Work = func(ctx context.Context, job int) string

// Subject is lab 02 as the suite sees it.
type Subject struct {
	Pool func(ctx context.Context, workers int, jobs <-chan int, work Work) <-chan string

	// Next is the same function for a second pool that reads the first one's results.
	Next func(ctx context.Context, workers int, jobs <-chan string, work func(context.Context, string) string) <-chan string

	// Any is the same function for jobs and results that may be nil.
	Any func(ctx context.Context, workers int, jobs <-chan any, work func(context.Context, any) any) <-chan any
}

// Lab describes lab 02 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "02-channels",
		Title:  "Channels",
		Builds: "a worker pool: who sends, who closes, and how everybody stops",
		Files:  []string{"pool.go"},
		Cases:  conform.Describe(Cases()),
	}
}

// Cases returns the claims of the suite.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// pool calls the subject and writes the call into the history.
func pool(t *conform.T, s Subject, ctx context.Context, workers int, jobs <-chan int, work Work) <-chan string {
	backlog := ""
	n, room := len(jobs), cap(jobs)
	if n > 0 {
		backlog = fmt.Sprintf(" with %d in its buffer", n)
	}
	if n < room {
		backlog += fmt.Sprintf(", which has room for %d", room)
	}
	call := t.Call("Pool(ctx, %d, jobs%s, work)", workers, backlog)
	results := s.Pool(ctx, workers, jobs, work)
	call.Returned("results")
	t.Require(results != nil, "Pool returned a nil channel: nothing can be received from it, and it is never closed.")
	return results
}

// read takes one result.
func read(t *conform.T, results <-chan string) (string, bool) {
	call := t.Call("<-results")
	result, open := <-results
	if open {
		call.Returned("%q", result)
	} else {
		call.Returned("closed")
	}
	return result, open
}

// drain reads until the channel is closed. It gives up once there are more results
// than there can be: a pool that never stops sending would fill the memory.
func drain(t *conform.T, results <-chan string, atMost int) []string {
	var all []string
	for {
		result, open := read(t, results)
		if !open {
			slices.Sort(all)
			return all
		}
		all = append(all, result)
		t.Require(len(all) <= atMost, "The pool sent %q when it had sent %s, and no more could come: one for each job.", result, conform.Count(atMost, "result"))
	}
}

// atMostOnce drains the results of a pool that was cancelled: some of those of n jobs, in any
// number, but each as work returned it, and none twice. They are sorted.
func atMostOnce(t *conform.T, results <-chan string, n int) {
	genuine(t, drain(t, results, n), n)
}

// genuine requires of sorted results that each is one of n jobs, and that none is there twice.
func genuine(t *conform.T, results []string, n int) {
	for i, result := range results {
		t.Require(i == 0 || result != results[i-1], "work returned %q once, and the pool sent it twice.", result)
		var job int
		_, err := fmt.Sscanf(result, "job %d", &job)
		t.Require(err == nil && result == answer(job) && job < n, "The pool sent %q, which no call of work returned: after a cancel a result may be lost, and nothing may be sent in its place.", result)
	}
}

// complete drains the results of n jobs whose work is echo, or answers like it.
func complete(t *conform.T, results <-chan string, n int) {
	oneEach(t, drain(t, results, n), n)
}

// oneEach requires the results of n jobs, once each.
func oneEach(t *conform.T, results []string, n int) {
	t.Require(n == 0 || len(results) > 0, "There were %d jobs, and the channel of results was closed before the first result.", n)
	for job := range n {
		came := 0
		for _, result := range results {
			if result == answer(job) {
				came++
			}
		}
		t.Require(came == 1, "There were %d jobs, and %d results; the result of job %d came %s, and should have come once.", n, len(results), job, conform.Count(came, "time"))
	}
}

// recorded is work for the jobs from 0 to n-1, with each call an event of the history. It is
// not for work of which a race is looked for: fmt shares a pool of buffers, which orders.
func recorded(t *conform.T, n int, work func(ctx context.Context, a *conform.Actor, job int) string) Work {
	actors := make([]*conform.Actor, n)
	for i := range actors {
		actors[i] = t.Named("job %d", i)
	}
	stranger := t.Named("no job")
	return func(ctx context.Context, job int) string {
		a := stranger
		if 0 <= job && job < n {
			a = actors[job]
		}
		return conform.Do(a, func() string { return work(ctx, a, job) }, "work(ctx, %d)", job)
	}
}

// doEcho is echo for recorded.
func doEcho(ctx context.Context, _ *conform.Actor, job int) string { return echo(ctx, job) }

// next reads one result, which has to come.
func next(t *conform.T, results <-chan string) string {
	result, more := read(t, results)
	t.Require(more, "The channel of results was closed, and a result was still to come.")
	return result
}

// stillOpen requires that nothing comes from results now, and that it is open because of why.
func stillOpen(t *conform.T, results <-chan string, why string) {
	select {
	case result, more := <-results:
		t.Require(more, "The channel of results was closed although %s.", why)
		t.Fatalf("The pool sent %q, a result for which there was no job.", result)
	default:
	}
}

// works shows that the pool does work, before a case is about what it does not do.
func works(t *conform.T, s Subject) {
	complete(t, pool(t, s, t.Context(), 2, closed(2), recorded(t, 2, doEcho)), 2)
}

// month is longer than any time after which a pool may give up waiting: it may not.
const month = 31 * 24 * time.Hour

// rests lets time pass in which a pool has nothing to do, and requires that it sleeps: first for
// a minute, so that one that looks a thousand times a second is found before the rest.
func rests(t *conform.T, d time.Duration, what, why string) {
	t.Wait() // returns when the workers sleep: never, if they spin
	before := probe.Wakeups()
	call := t.Call("%s for %s", what, long(d))
	began := t.Elapsed()
	for _, until := range []time.Duration{min(time.Minute, d), min(24*time.Hour, d)} {
		time.Sleep(began + until - t.Elapsed())
		woken, polled := probe.Woken(before)
		t.Require(!polled, "%s, and within %v something of the pool woke up about %d times to look: a worker that waits sleeps.", why, until, woken)
	}
	time.Sleep(began + d - t.Elapsed())
	call.Returned("")
}

// long is a time in the words of the history.
func long(d time.Duration) string {
	if d == month {
		return "a month"
	}
	return fmt.Sprint(d)
}

// answer is the result of a job. It sorts in the order of the jobs.
func answer(job int) string { return fmt.Sprintf("job %03d", job) }

func echo(_ context.Context, job int) string { return answer(job) }

// filled is a channel with n jobs in its buffer, still open.
func filled(n int) chan int {
	jobs := make(chan int, n)
	for i := range n {
		jobs <- i
	}
	return jobs
}

// closed is a channel with n jobs in its buffer, closed.
func closed(n int) <-chan int {
	jobs := filled(n)
	close(jobs)
	return jobs
}

// send starts the sender of n jobs, who closes the channel after the last, or gives
// up when ctx ends. It returns how many jobs were received so far.
func send(t *conform.T, ctx context.Context, n int) (<-chan int, *atomic.Int32) {
	return sendOver(t, ctx, make(chan int), n)
}

// sendOver is send over a channel that may have a buffer: what was received so far is
// there or was taken from it.
func sendOver(t *conform.T, ctx context.Context, jobs chan int, n int) (<-chan int, *atomic.Int32) {
	var received atomic.Int32
	t.Go("sender", func(a *conform.Actor) {
		defer close(jobs)
		for i := range n {
			call := a.Call("jobs <- %d", i)
			select {
			case jobs <- i:
				received.Add(1)
				call.Returned("received")
			case <-ctx.Done():
				call.Returned("given up")
				return
			}
		}
	})
	return jobs, &received
}

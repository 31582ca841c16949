package channelstest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// countless gives the only worker so many jobs that one which ends, or rests, after a number of them
// has done so. look sees the context of each call.
func countless(t *conform.T, s Subject, look func(ctx context.Context)) {
	const n = 1_200
	began, took, sent := t.Elapsed(), time.Duration(0), 0
	for range s.Pool(t.Context(), 1, closed(n), func(ctx context.Context, _ int) string {
		look(ctx)
		return ""
	}) {
		sent++
		took = t.Elapsed() - began
	}
	t.Require(sent == n, "There were %d jobs for one worker, and %d results came.", n, sent)
	t.Require(took == 0, "The worker rested although there were jobs, and their results were taken: %d calls of work that take no time took it %v.", n, took)
}

// incomparable gives the only worker two jobs that are slices, and has work return each as its
// result: to compare two of them in an interface, or to look one up in a map, panics.
func incomparable(t *conform.T, s Subject) {
	const n = 2
	jobs := make(chan any, n)
	for range n {
		jobs <- []int{7}
	}
	close(jobs)
	call := t.Call("Pool(ctx, 1, jobs with %d in its buffer, each a slice, work)", n)
	results := s.Any(t.Context(), 1, jobs, func(_ context.Context, job any) any { return job })
	call.Returned("results")
	sent := 0
	for range results {
		sent++
	}
	t.Require(sent == n, "There were %d jobs, each a slice, and %s came.", n, conform.Count(sent, "result"))
}

// upToTheDeadline has a result taken, and a job come, right before the deadline of ctx.
func upToTheDeadline(t *conform.T, s Subject) {
	ctx, cancel := t.WithTimeout(t.Context(), time.Hour, "ctx")
	defer cancel()
	deadline, _ := ctx.Deadline()
	jobs := make(chan int, 2)
	results := pool(t, s, ctx, 2, jobs, recorded(t, 2, doEcho))
	for job := range 2 {
		t.Do(func() { jobs <- job }, "jobs <- %d", job)
		if job == 0 {
			t.Do(func() { time.Sleep(time.Until(deadline) - 1) }, "waits until 1ns before the deadline of ctx")
		}
		result, more := read(t, results)
		t.Require(more, "The deadline of ctx had not passed, jobs was open and job %d had been sent, and the channel of results was closed without its result.", job)
		t.Require(result == answer(job), "work returned %q for job %d, and the pool sent %q.", answer(job), job, result)
	}
}

// theRestComesLater has fewer jobs than workers in the buffer when Pool is called. The others
// come when the first of them is being worked on.
func theRestComesLater(t *conform.T, s Subject, there, room int) {
	const workers = 4
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	jobs, begun := make(chan int, room), make(chan struct{})
	sendBurst(ctx, t.Actor, jobs, 0, there)
	t.Go("sender", func(a *conform.Actor) {
		defer close(jobs)
		select {
		case <-begun:
		case <-ctx.Done():
		}
		sendBurst(ctx, a, jobs, there, workers-there)
	})
	first := sync.OnceFunc(func() { close(begun) })
	remark := fmt.Sprintf(", though only %d were there when Pool was called", there)
	if there == 1 {
		remark = ", though only one was there when Pool was called"
	}
	complete(t, allAtOnce(t, s, workers, jobs, func(held func(*conform.Actor)) Work {
		return recorded(t, workers, func(_ context.Context, a *conform.Actor, job int) string {
			first()
			held(a)
			return answer(job)
		})
	}, remark), workers)
}

// bursts has a job for each worker, and again after hours without one, and after a month. Before the
// first pause a pool may have worked through some jobs.
func bursts(t *conform.T, s Subject, room, before int) {
	const workers = 3
	pauses := []time.Duration{2 * time.Hour, 2 * time.Hour, month}
	n := before + workers*len(pauses)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var running atomic.Int32
	finish := make(chan struct{})
	jobs := make(chan int, room)
	results := pool(t, s, ctx, workers, jobs, recorded(t, n, func(_ context.Context, a *conform.Actor, job int) string {
		if job < before {
			return answer(job)
		}
		running.Add(1)
		defer running.Add(-1)
		a.Do(func() {
			select {
			case <-finish:
			case <-ctx.Done():
			}
		}, "works until all workers have a job")
		return answer(job)
	}))
	for job := range before {
		sendBurst(ctx, t.Actor, jobs, job, 1)
		next(t, results)
	}
	for burst, pause := range pauses {
		rests(t, pause, "sends no job", "There was nothing to do")
		t.Go("sender", func(a *conform.Actor) { sendBurst(ctx, a, jobs, before+burst*workers, workers) })
		t.Wait()
		theyWork(t, int(running.Load()), workers, fmt.Sprintf(", after %s without one", long(pause)))
		for range workers {
			finish <- struct{}{}
			next(t, results)
		}
	}
	t.Do(func() { close(jobs) }, "close(jobs)")
	drain(t, results, 0)
}

// sendBurst sends n jobs, the first of which is from, unless ctx ends.
func sendBurst(ctx context.Context, a *conform.Actor, jobs chan<- int, from, n int) {
	for job := from; job < from+n; job++ {
		call := a.Call("jobs <- %d", job)
		select {
		case jobs <- job:
			call.Returned("")
		case <-ctx.Done():
			call.Returned("given up")
			return
		}
	}
}

package goroutinestest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// throng runs so many short tasks that some come just when one that waits has been told to go.
func throng(t *conform.T, s Subject) {
	const n, limit = 150, 2
	var running probe.Peak
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = func(context.Context) (int, error) {
			running.Enter()
			runtime.Gosched()
			running.Leave()
			return i, nil
		}
	}
	for range 3 {
		got, err := run(t, s, t.Context(), limit, slices.Clone(tasks))
		requireAll(t, n, got, err)
		t.Require(running.Most() <= limit, "%d of %d tasks ran at once, and the limit is %d.", running.Most(), n, limit)
	}
}

// multitude runs more tasks than a limit in the hundreds allows.
func multitude(t *conform.T, s Subject) {
	const n, limit = 1200, 1100
	var running probe.Peak
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = func(context.Context) (int, error) {
			running.Enter()
			time.Sleep(time.Second)
			running.Leave()
			return i, nil
		}
	}
	t.Note("no other call of Gather is under way, and so nobody has taken any of the %d slots", limit)
	got, err := run(t, s, t.Context(), limit, tasks)
	requireAll(t, n, got, err)
	t.Require(running.Most() <= limit, "%d of %d tasks ran at once, and the limit is %d.", running.Most(), n, limit)
}

// meeting is where tasks wait for each other. It is for bubbles: who is alone for an hour gives up.
type meeting struct {
	want  int
	came  atomic.Int32
	short atomic.Int32 // how many were there when the first gave up
	all   chan struct{}
}

func meetingOf(n int) *meeting { return &meeting{want: n, all: make(chan struct{})} }

func (m *meeting) join() {
	if int(m.came.Add(1)) == m.want {
		close(m.all)
	}
	select {
	case <-m.all:
	case <-time.After(time.Hour):
		m.short.CompareAndSwap(0, m.came.Load())
	}
}

// held requires that the meeting took place.
func (m *meeting) held(t *conform.T, limit, tasks int) {
	came := int(m.short.Load())
	t.Require(came == 0, "With limit %d, %d of %s wait until all of these run at once, and Gather had started only %d of them an hour later.",
		limit, m.want, conform.Count(tasks, "task"), came)
}

// reachesLimit has as many tasks meet as the limit allows.
func reachesLimit(t *conform.T, s Subject) {
	for _, c := range []struct{ limit, tasks, meet int }{
		{1, 12, 1}, {5, 12, 5}, {2, 12, 2}, {12, 12, 12}, {2, 3, 2}, {11, 12, 11}, // of five, it shows how many places are missing
		{-1, 12, 12}, {-2, 12, 12}, {math.MinInt, 12, 12}, {math.MaxInt, 12, 12}, {0, 1, 1}, {1<<16 + 1, 12, 12}, {1<<32 + 1, 12, 12},
	} {
		m := meetingOf(c.meet)
		got, err := gather(t, s, c.limit, repeat(c.tasks, func(a *conform.Actor, i int) (int, error) {
			if i < c.meet {
				a.Do(m.join, "waits until %d tasks run, as many as the limit allows", c.meet)
			}
			return i, nil
		})...)
		m.held(t, c.limit, c.tasks)
		requireAll(t, c.tasks, got, err)
	}
	for _, limit := range []int{0, 1100} { // no room is too small, and no bound is hidden in the subject
		const n = 2100 // three goroutines a task, and the race detector still has room for them
		tasks, m := make([]Task, n), meetingOf(min(n, cmp.Or(limit, n)))
		for i := range tasks {
			tasks[i] = func(context.Context) (int, error) {
				if i < m.want {
					m.join()
				}
				return i, nil
			}
		}
		t.Note("of %d tasks, %d wait for each other: with limit %d, all of these run at once", n, m.want, limit)
		got, err := run(t, s, t.Context(), limit, tasks)
		m.held(t, limit, n)
		requireAll(t, n, got, err)
	}
}

// passedBy has the task that begins first wait until all others have run. They are so many that
// a Gather which deals them out in portions puts some behind the first.
func passedBy(t *conform.T, s Subject) {
	const n, limit = 300, 2
	var begun, ran, short atomic.Int32
	all := make(chan struct{})
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = func(context.Context) (int, error) {
			if begun.Add(1) > 1 {
				if ran.Add(1) == n-1 {
					close(all)
				}
				return i, nil
			}
			select {
			case <-all:
			case <-time.After(time.Hour):
				short.Store(n - 1 - ran.Load())
			}
			return i, nil
		}
	}
	t.Note("of %d tasks, the one that begins first waits until all others have run", n)
	got, err := run(t, s, t.Context(), limit, tasks)
	left := short.Load()
	t.Require(left == 0, "With limit %d, one of %d tasks waited until all others had run, and an hour later %d of them had not: a slow task delays only itself, and the other slot is used at once for each task that waits.",
		limit, n, left)
	requireAll(t, n, got, err)
}

// crowd runs many tasks and counts how many of them are in it at once.
func crowd(t *conform.T, s Subject, limit int, work func()) {
	var running probe.Peak
	var once sync.Once
	complete(t, s, limit, repeat(24, func(a *conform.Actor, i int) (int, error) {
		now := running.Enter()
		if now > limit {
			once.Do(func() { a.Breaks("%d tasks run at once, and the limit is %d", now, limit) })
		}
		work()
		running.Leave()
		return i, nil
	}))
	t.Require(running.Most() <= limit, "%d tasks ran at once, and the limit is %d.", running.Most(), limit)
}

// sideBySide has two calls of Gather under way at once. One has a task that waits, with no slot left; the
// other fails.
func sideBySide(t *conform.T, s Subject) {
	begun, end := make(chan struct{}), make(chan struct{})
	var once sync.Once
	call := func(a *conform.Actor, got *[]int, err *error, tasks ...Task) {
		*got, *err = conform.Do2(a, func() ([]int, error) { return s.Gather(t.Context(), 1, tasks...) }, "Gather(ctx, 1, %s)", conform.Count(len(tasks), "task"))
	}
	wait := func(i int) Task {
		return func(ctx context.Context) (int, error) {
			once.Do(func() { close(begun) })
			<-end
			return i, ctx.Err()
		}
	}
	var got, none []int
	var err, failure error
	var returned atomic.Bool
	t.Go("caller 1", func(a *conform.Actor) { call(a, &got, &err, wait(0), wait(1)) })
	<-begun
	t.Go("caller 2", func(a *conform.Actor) {
		call(a, &none, &failure, func(context.Context) (int, error) { return 0, errTask })
		returned.Store(true)
	})
	t.Wait()
	free := returned.Load()
	close(end)
	t.Join()
	t.Require(free, "While a task of one call of Gather ran, another call of Gather, whose only task fails at once, did not return: calls do not wait for each other, and each has a limit of its own.")
	failed(t, none, failure, errTask, "the error of its only task")
	t.Require(err == nil, "Two calls of Gather were under way, and a task of one failed. The other call, whose tasks succeed unless their context has ended, returned %s: nothing of one call reaches another.", conform.Said(err))
	requireAll(t, 2, got, err)
}

// insideATask has each of two tasks call Gather, with the context that it was given. The tasks of that inner call meet,
// as many as its limit allows. What waits for a slot of the wrong call gives up when ctx ends.
func insideATask(t *conform.T, s Subject, outer, inner int) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Hour)
	defer cancel()
	t.Ends(ctx)
	call := fmt.Sprintf("A task of Gather(ctx, %d, …) called Gather with its own context and limit %d.", outer, inner)
	const most = 3 // tasks of an inner call
	var callers probe.Peak
	got, err := gatherCtx(t, s, ctx, outer, repeatCtx(2, func(ctx context.Context, a *conform.Actor, i int) (int, error) {
		callers.Enter()
		defer callers.Leave()
		var running probe.Peak
		n, bound := inner+1, inner
		if inner <= 0 {
			n, bound = most, most
		}
		m := meetingOf(bound)
		tasks := slices.Repeat([]Task{func(context.Context) (int, error) {
			running.Enter()
			defer running.Leave()
			m.join()
			time.Sleep(time.Second) // if the caller's slot were free meanwhile, somebody would take it
			return 0, nil
		}}, n)
		called := t.Elapsed()
		_, err := conform.Do2(a, func() ([]int, error) { return s.Gather(ctx, inner, tasks...) }, "Gather(its own ctx, %d, %s)", inner, conform.Count(len(tasks), "task"))
		came := int(m.short.Load())
		t.Assert(err == nil, "%s No task failed, and after %v the inner call returned %s: each call has a limit of its own.", call, t.Elapsed()-called, conform.Said(err))
		t.Assert(came == 0, "%s Of %d tasks the inner call ran only %d at once: each call has a limit of its own.", call, len(tasks), came)
		t.Assert(running.Most() <= bound, "%s Of %d tasks the inner call ran %d at once: each call has a limit of its own.", call, len(tasks), running.Most())
		return i, nil
	})...)
	t.Require(outer <= 0 || callers.Most() <= outer, "%s While that inner call ran, %d tasks of the outer one did, and its limit is %d: a task that waits for a call of its own keeps its slot.", call, callers.Most(), outer)
	requireAll(t, 2, got, err)
}

// keepsPace has many tasks of a second each: without a bound, and with limits that they reach many times.
func keepsPace(t *conform.T, s Subject) {
	const n = 200
	for _, limit := range []int{0, 4, 100} {
		called := t.Elapsed()
		t.Note("each of %d tasks takes 1s", n)
		got, err := run(t, s, t.Context(), limit, slices.Repeat([]Task{func(context.Context) (int, error) { time.Sleep(time.Second); return 0, nil }}, n))
		t.Require(err == nil && len(got) == n, "No task failed, and Gather returned %s and %s.", conform.Count(len(got), "result"), conform.Said(err))
		due, took := time.Duration(n/cmp.Or(limit, n))*time.Second, t.Elapsed()-called
		t.Require(took <= due, "With limit %d, %d tasks of 1s each take %v, and Gather returned after %v: a slot that becomes free is used at once.", limit, n, due, took)
		t.Require(took == due, "With limit %d, %d tasks of 1s each take %v, and Gather returned after %v: at most limit tasks run at once.", limit, n, due, took)
	}
}

// shortOfTime has a ctx whose deadline is near, and tasks that need less.
func shortOfTime(t *conform.T, s Subject) {
	for _, limit := range []int{0, 1} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
		got, err := gatherCtx(t, s, ctx, limit, after(time.Millisecond, 0, nil), after(time.Millisecond, 1, nil))
		cancel()
		t.Require(err == nil, "The deadline of ctx was 10ms away, and each of two tasks took 1ms. Gather returned %s after %v: as long as ctx has not ended, tasks are started.", conform.Said(err), t.Elapsed())
		requireAll(t, 2, got, err)
	}
}

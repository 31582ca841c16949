// Package cancellationtest is the conformance suite of lab 04.
//
// Of the foundations' rules it holds those on cancellation: a cancel unblocks
// receivers and senders, only the sender closes, no goroutine survives, losers are
// joined. Apimachinery's leaked timer (kubernetes#83895, one for each wait) is
// no fault here: since Go 1.23 a timer that nobody waits for is collected.
//
// What it can miss: a check of ctx that is missing only in the instants between two
// statements; a jitter that is uneven within a twentieth of its range; a Merge that is
// fair on these schedules and starves an input on others; and one that takes a nil input
// for a closed one if ctx can never end: its goroutines would rightly outlive the case.
package cancellationtest

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// Task is what First runs.
type Task = func(context.Context) (int, error)

// AnyTask is what First runs when its values may be nil.
type AnyTask = func(context.Context) (any, error)

// Params are the fields of a Backoff, as apimachinery has them.
type Params struct {
	Duration time.Duration
	Factor   float64
	Jitter   float64
	Steps    int
	Cap      time.Duration
}

// Backoff is the subject's Backoff.
type Backoff interface {
	Step() time.Duration
	Run(ctx context.Context, sliding bool, f func(ctx context.Context))
	Params() Params // its fields now
}

// Subject is lab 04 as the suite sees it.
type Subject struct {
	First      func(ctx context.Context, tasks ...Task) (int, error)
	FirstAny   func(ctx context.Context, tasks ...AnyTask) (any, error) // First of a type whose zero value is nil
	ErrNoTasks error
	OrDone     func(ctx context.Context, in <-chan int) iter.Seq[int]
	OrDoneAny  func(ctx context.Context, in <-chan any) iter.Seq[any] // OrDone of a type whose values may be nil
	Merge      func(ctx context.Context, inputs ...<-chan int) <-chan int
	MergeAny   func(ctx context.Context, inputs ...<-chan any) <-chan any // Merge of a type whose values may be nil
	Until      func(ctx context.Context, period time.Duration, f func(ctx context.Context))
	Backoff    func(p Params) Backoff
	NilStep    func() time.Duration // Step of a nil Backoff
}

// Lab describes lab 04 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:    "04-cancellation",
		Title:  "Cancellation",
		Builds: "select and context: first result wins, or-done, fan-in, loops and backoff that stop at once",
		Files:  []string{"first.go", "merge.go", "backoff.go"},
		Imports: []string{
			"time",
			// kit has a Backoff for the labs after this one: here it is what the learner builds.
			"github.com/controllerbook/controllerbook/labs/kit.TODO,NotImplemented",
		},
		Cases: conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that runs them against the real
// Kubernetes libraries.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// first calls First and writes the call and its tasks into the history.
func first(t *conform.T, s Subject, ctx context.Context, tasks ...Task) (int, error) {
	recorded := make([]Task, len(tasks))
	for i, task := range tasks {
		a := t.Named("task %d", i)
		recorded[i] = func(ctx context.Context) (int, error) {
			return conform.Do2(a, func() (int, error) { return task(ctx) }, "runs")
		}
	}
	call := t.Call("First(ctx%s, %s)", state(ctx), conform.Count(len(tasks), "task"))
	got, err := s.First(ctx, recorded...)
	call.Returned("%d, %s", got, conform.Said(err))
	return got, err
}

// state says of a context that it has ended, and nothing of one that has not.
func state(ctx context.Context) string {
	if ctx.Err() == nil {
		return ""
	}
	return " that has ended"
}

// soon cancels after a second, as an actor of the history.
func soon(t *conform.T, cancel context.CancelFunc) {
	a := t.Named("canceller")
	time.AfterFunc(time.Second, func() { a.Do(cancel, "cancel()") })
}

// won requires that First returned the value of the task that won.
func won(t *conform.T, got int, err error, want int) {
	t.Require(err == nil || got != want || want == 0, "First returned %d, the value of the task that succeeded first, and beside it %s: a success has no error.", got, conform.Said(err))
	t.Require(err == nil, "One of the tasks succeeds, with the value %d, unless it is cancelled, and First returned %s.", want, conform.Said(err))
	t.Require(got == want, "First returned %d. The task that succeeded first had returned %d.", got, want)
}

// after is a task that takes d and then returns value and err, or gives up when its
// context is done.
func after(d time.Duration, value int, err error) Task {
	return func(ctx context.Context) (int, error) {
		select {
		case <-time.After(d):
			return value, err
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// deaf is a task that takes d whatever its context says.
func deaf(d time.Duration, value int, err error) Task {
	return func(context.Context) (int, error) {
		time.Sleep(d)
		return value, err
	}
}

// merge calls Merge and writes the call into the history.
func merge(t *conform.T, s Subject, ctx context.Context, inputs ...<-chan int) <-chan int {
	call := t.Call("Merge(ctx%s, %s)", state(ctx), conform.Count(len(inputs), "input"))
	out := s.Merge(ctx, inputs...)
	call.Returned("a channel")
	t.Require(out != nil, "Merge returned a nil channel: who reads it waits for ever.")
	return out
}

// collect reads out until it is closed.
func collect(t *conform.T, out <-chan int) []int {
	return conform.Do(t.Actor, func() []int {
		var got []int
		for v := range out {
			got = append(got, v)
		}
		return got
	}, "reads the merged channel until it is closed")
}

// take receives one value of out; more is false when out is closed.
func take(t *conform.T, out <-chan int) (v int, more bool) {
	call := t.Call("receives from the merged channel")
	v, more = <-out
	if more {
		call.Returned("%d", v)
	} else {
		call.Returned("closed")
	}
	return v, more
}

// rest reads out until it is closed, or until nothing has come for some time, and returns what
// came of one input. It is for a case that has failed, which may take its time.
func rest(t *conform.T, out <-chan int, input int) []int {
	var came []int
	for {
		select {
		case v, more := <-out:
			if !more {
				return came
			}
			if v/100 == input {
				t.Note("gets %d from the merged channel", v)
				came = append(came, v)
			}
		case <-time.After(100 * time.Millisecond):
			return came
		}
	}
}

// amiss says in which way got is not the n values from first on: lost, twice, out of order.
func amiss(got []int, first, n int) string {
	var lost, twice []int
	count := map[int]int{}
	for _, v := range got {
		count[v]++
	}
	for v := first; v < first+n; v++ {
		if count[v] == 0 {
			lost = append(lost, v)
		} else if count[v] > 1 {
			twice = append(twice, v)
		}
	}
	switch {
	case len(lost) > 0 && len(twice) > 0:
		return fmt.Sprintf("Values were lost: %v never came. Others came more than once: %v.", lost, twice)
	case len(lost) > 0:
		return fmt.Sprintf("Values were lost: %v never came.", lost)
	case len(twice) > 0:
		return fmt.Sprintf("No value was lost; some came more than once: %v.", twice)
	}
	return "None was lost and none came twice: their order was not kept."
}

// silent requires that out is closed and no value comes before that.
func silent(t *conform.T, out <-chan int) {
	got := collect(t, out)
	t.Require(len(got) == 0, "No input had a value left, and Merge delivered %v.", got)
}

// staysOpen requires, once all is at rest, that out has no value and is not closed because of why.
func staysOpen(t *conform.T, out <-chan int, why string) {
	t.Wait()
	select {
	case v, more := <-out:
		t.Require(more, "Merge closed its channel although %s.", why)
		t.Fatalf("Merge delivered %d, and no input had a value.", v)
	default:
	}
}

// feed sends v to an input, on a goroutine of its own.
func feed(t *conform.T, name string, in chan<- int, v int) {
	a := t.Named("%s input", name)
	go a.Do(func() { in <- v }, "in <- %d", v)
}

// called requires that the calls of f began at the times of want, since the loop began. Why says
// what makes them so.
func called(t *conform.T, at, want []time.Duration, why string) {
	all := fmt.Sprintf(" All calls: at %s. Due: at %s.", moments(at), moments(want))
	for i, w := range want {
		t.Require(i < len(at), "f was called %s, and the loop should have called it %s. %s%s", conform.Count(len(at), "time"), conform.Count(len(want), "time"), why, all)
		t.Require(at[i] >= w, "Call %d of f began %v after the loop, too early: it was due after %v. %s%s", i+1, at[i], w, why, all)
		t.Require(at[i] <= w, "Call %d of f began %v after the loop, too late: it was due after %v. %s%s", i+1, at[i], w, why, all)
	}
	t.Require(len(at) == len(want), "The context ended in call %d of f, and the loop called it %s.", len(want), conform.Count(len(at), "time"))
}

// moments lists times.
func moments(at []time.Duration) string {
	said := make([]string, len(at))
	for i, d := range at {
		said[i] = d.String()
	}
	return strings.Join(said, ", ")
}

// starts calls loop with an f that notes when it is called, takes as long as took
// says of its n-th call, and cancels the loop's context in its last call. It
// returns when each call began.
func starts(t *conform.T, calls int, took func(n int) time.Duration, loop func(ctx context.Context, f func(context.Context))) []time.Duration {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	begin := time.Now()
	var at []time.Duration
	loop(ctx, func(context.Context) {
		at = append(at, time.Since(begin))
		stops(t, len(at)-1, calls)
		call := t.Call("f(ctx), %v after the loop began", time.Since(begin))
		time.Sleep(took(len(at) - 1))
		if len(at) >= calls {
			t.Do(cancel, "cancel()")
		}
		call.Returned("")
	})
	return at
}

// stops ends a loop that calls f for ever, though its context ended in the last of the wanted calls.
func stops(t *conform.T, calls, wanted int) {
	if late := calls - wanted; late >= 100 {
		t.Fatalf("The context ended in call %d of f, and the loop called it %d times after that: it does not stop.", wanted, late)
	}
}

// always is a took for starts: the same for every call.
func always(d time.Duration) func(int) time.Duration {
	return func(int) time.Duration { return d }
}

// seconds spells out times for a comparison.
func seconds(values ...float64) []time.Duration {
	ds := make([]time.Duration, len(values))
	for i, v := range values {
		ds[i] = time.Duration(v * float64(time.Second))
	}
	return ds
}

// naive is what a step makes of a Backoff's fields, in the words of the contract.
func naive(p Params) Params {
	if p.Steps <= 0 {
		p.Steps = 0
		return p
	}
	p.Steps--
	if p.Factor != 0 {
		p.Duration = time.Duration(p.Factor * float64(p.Duration))
		if p.Cap > 0 && p.Duration > p.Cap {
			p.Duration, p.Steps = p.Cap, 0
		}
	}
	return p
}

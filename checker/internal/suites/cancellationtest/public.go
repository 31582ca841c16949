package cancellationtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "first-success-wins",
		Points: 4,
		Func:   "First",
		Rule:   "First returns the value of the task that succeeds first, and cancels the others.",
		Why:    "A client that asks two API servers behind one name should go on with the first answer, and let the other stop working.",
		Hint: []string{
			"How can one goroutine wait for the first of many outcomes?",
			"Let every task send what it returned into one channel. Cancel the context you gave to the tasks when a success comes out of it.",
		},
		Contract: []string{
			"returns the value of the first task to succeed, that is, to return a nil error",
			"All of them are cancelled, the winner's too, as soon as a task has succeeded, and in any case when First returns.",
			"First does not change the slice of tasks, nor the array behind it.",
		},
		Source: "RFC 8305 (Happy Eyeballs): the first connection that succeeds wins, the others are cancelled",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for n := 4; n > 0; n-- {
				for winner := range n {
					for failing := range 1 << n {
						if failing>>winner&1 == 0 {
							wins(t, s, n, winner, failing)
						}
					}
				}
			}
			for failing := range 7 { // the first so many
				wins(t, s, 8, failing, 1<<failing-1)
			}
			cancelsAll(t, s)
			keepsTasks(t, s)
			got, err := first(t, open(), t.Context(),
				after(time.Hour, 1, nil), after(2*time.Second, 2, nil), after(time.Second, 3, nil), after(time.Hour, 4, nil))
			won(t, got, err, 3)
			got, err = first(t, open(), t.Context(), after(time.Second, 0, nil), after(2*time.Second, 2, nil)) // a zero is a value
			won(t, got, err, 0)
			nilWins(t, open())
		},
	},
	{
		Name:   "failure-is-no-win",
		Points: 4,
		Func:   "First",
		Rule:   "A task that fails neither ends First nor cancels the others while one of them may still succeed.",
		Why:    "A refused connection is the fastest answer of all: a dead server would win every race against a live one.",
		Hint: []string{
			"What does your loop do with an outcome whose error is not nil?",
			"Remember the error and receive again. Only a success cancels.",
		},
		Contract: []string{"A task that fails, with whatever error, does not end the others: First goes on waiting for a success."},
		Source:   "RFC 8305 (Happy Eyeballs), section 5: a failed attempt starts the next, it does not end the race",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			refused := errors.New("connection refused")
			got, err := first(t, open(), t.Context(),
				after(0, 1, refused), after(3*time.Second, 2, nil), after(time.Second, 3, refused))
			won(t, got, err, 2)
			t.OnTime("First returned", t.Elapsed(), 3*time.Second, "the only task that succeeds had returned")
			for _, reason := range []error{refused, context.Canceled, context.DeadlineExceeded, errors.New("")} {
				failsAlone(t, open(), reason)
			}
		},
	},
	{
		Name:   "nothing-to-do",
		Points: 2,
		Func:   "First",
		Rule:   "With no tasks First returns ErrNoTasks at once; with no inputs Merge returns a channel that is closed at once.",
		Why:    "The list of endpoints is empty now and then, and the caller would take a zero value with a nil error for an answer.",
		Hint: []string{
			"What does errors.Join of no errors return?",
			"What does Wait do on a WaitGroup whose counter was never raised?",
		},
		Contract: []string{"With no tasks and a ctx that is not done, First returns ErrNoTasks.", "With no inputs the channel is closed at once."},
		Source:   "the contract of this lab",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			_, err := first(t, s, t.Context())
			t.Require(err == s.ErrNoTasks, "First without tasks returned %s, and should have returned ErrNoTasks.", conform.Said(err))
			silent(t, merge(t, s, t.Context()))
			t.Note("the slice of inputs is empty, and not nil")
			silent(t, merge(t, s, context.Background(), []<-chan int{}...))
		},
	},
	{
		Name:   "or-done-ends-with-input",
		Points: 4,
		Func:   "OrDone",
		Rule:   "The loop gets every value of the channel in order and ends when it is closed; a loop that breaks off takes nothing more.",
		Why:    "A worker that stops leaves the rest of the events to its successor; what a hidden goroutine has read ahead is lost.",
		Hint: []string{
			"A receive has a second result. What does it say on a closed channel?",
			"yield returns false when the loop has broken off: then return, and do not touch the channel again.",
		},
		Contract: []string{
			"OrDone yields what comes out of in, until in is closed or ctx is done.",
			"leaves nothing running and no function registered with ctx",
			"Every value that it has not been given is still in the channel.",
			"A later loop over the same iter.Seq goes on with these values.",
		},
		Source: "Go iter/iter.go: Seq; The Go Programming Language Specification, Receive operator",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			in := make(chan int, 8)
			for i := range 8 {
				in <- i
			}
			close(in)
			var got []int
			t.Note("in has the values 0 to 7, and is closed")
			ranging := t.Call("for v := range OrDone(ctx, in) { break at 2 }")
			for v := range open().OrDone(t.Context(), in) {
				if got = append(got, v); v == 2 {
					break
				}
			}
			ranging.Returned("%v", got)
			t.Wait()
			t.Require(slices.Equal(got, []int{0, 1, 2}), "The channel has the values 0 to 7, and a loop that breaks at 2 got %v.", got)
			t.Require(len(in) == 5, "The loop got 3 of 8 values, and %d are left in the channel: OrDone took values that the loop never got.", len(in))
			ranging = t.Call("for v := range OrDone(ctx, in)")
			for v := range open().OrDone(t.Context(), in) {
				if got = append(got, v); len(got) > 20 {
					break // a closed channel yields for ever to a receiver that does not ask whether it is closed
				}
			}
			ranging.Returned("%v", got)
			t.Require(len(got) <= 8, "The channel had 5 values left and is closed, and the loop went on after them: it got %v.", got[3:])
			t.Require(slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6, 7}), "The channel had the values 3 to 7 left and is closed, and the loop got %v.", got[3:])
			again(t, open(), t.Context())
			again(t, open(), context.Background())
			for _, how := range []string{"break", "panic", "call of runtime.Goexit"} {
				goesOn(t, open(), how)
			}
			comeLate(t, open())
			anyValue(t, open())
		},
	},
	{
		Name:   "merge-delivers-everything",
		Points: 5,
		Func:   "Merge",
		Rule:   "Every value of every input comes out exactly once, those of one input in order, and then the channel is closed.",
		Why:    "Several watches often feed one loop; an event that is lost on the way is a pod that no controller looks after.",
		Hint: []string{
			"One goroutine for each input. Which of them may close the output?",
			"None of them: one more goroutine waits for all and closes then.",
			"Raise the WaitGroup before the go statement, or Wait may see zero too early. WaitGroup.Go does both.",
		},
		Contract: []string{
			"each value once, those of one input in their order",
			"The channel is closed when all inputs are closed and their values have been taken",
			"Then Merge's goroutines end, too",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation (merge)",
		Public: true,
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			sizes := make([]int, 1+t.Rand().IntN(5))
			inputs := make([]<-chan int, len(sizes))
			for i := range sizes {
				sizes[i] = t.Rand().IntN(30)
				in := make(chan int, t.Rand().IntN(3))
				inputs[i] = in
				a := t.Named("input %d", i)
				go func() {
					for n := range sizes[i] {
						a.Do(func() { in <- 100*i + n }, "in <- %d", 100*i+n)
					}
					a.Do(func() { close(in) }, "close(in)")
				}()
			}
			came := make([][]int, len(sizes)) // of each input
			out := merge(t, open(), t.Context(), inputs...)
			for v, more := take(t, out); more; v, more = take(t, out) {
				i := v / 100
				came[i] = append(came[i], v)
				if v != 100*i+len(came[i])-1 {
					came[i] = append(came[i], rest(t, out, i)...)
					t.Fatalf("Merge delivered the values of input %d, which sent %d to %d, as %v. %s", i, 100*i, 100*i+sizes[i]-1, came[i], amiss(came[i], 100*i, sizes[i]))
				}
			}
			for i := range sizes {
				t.Require(len(came[i]) == sizes[i], "Merge closed its channel when it had delivered %d of the %d values of input %d: the first %d, in order. The rest never came.", len(came[i]), sizes[i], i, len(came[i]))
			}
			mergeAlike(t, open())
			for range 10 {
				mergeClosed(t, open())
			}
		},
	},
	{
		Name:   "until-waits-after-each-call",
		Points: 5,
		Func:   "Until",
		Look:   []string{"Until", "Backoff.Run"},
		Rule:   "Until calls f at once, and then each time when period has passed since f returned.",
		Why:    "A loop that relists every ten seconds must not relist without a pause when the list takes eleven.",
		Hint: []string{
			"Does the wait begin when f is called or when it has returned?",
			"Call f first; make the timer after it.",
		},
		Contract: []string{
			"Until calls f at once and then again and again, until ctx is done.",
			"it waits for period, counted from the moment at which f returned; with a period <= 0 it does not wait",
		},
		Source: "apimachinery pkg/util/wait/backoff.go: UntilWithContext (sliding is true)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			until := func(period time.Duration) func(context.Context, func(context.Context)) {
				return func(ctx context.Context, f func(context.Context)) {
					t.Do(func() { s.Until(ctx, period, f) }, "Until(ctx, %v, f)", period)
				}
			}
			at := starts(t, 4, always(3*time.Second), until(10*time.Second))
			called(t, at, seconds(0, 13, 26, 39), "The period is 10s, f takes 3s, and the period begins when f has returned.")
			at = starts(t, 4, always(time.Second), until(0))
			called(t, at, seconds(0, 1, 2, 3), "The period is 0 and f takes 1s: each call follows at once.")
			at = starts(t, 4, always(time.Second), until(-time.Hour))
			called(t, at, seconds(0, 1, 2, 3), "The period is below 0 and f takes 1s: each call follows at once.")
			at = starts(t, 2, always(time.Second), until(1))
			called(t, at, []time.Duration{0, time.Second + 1}, "The period is 1ns, f takes 1s, and the period begins when f has returned.")
			at = starts(t, 3, always(time.Second), until(1000*time.Hour))
			called(t, at, seconds(0, 3600001, 7200002), "The period is 1000h, f takes 1s, and the period begins when f has returned.")
		},
	},
	{
		Name:   "step-grows",
		Points: 4,
		Func:   "Backoff.Step",
		Rule:   "Step returns Duration and multiplies it by Factor for the next step, as long as there are Steps left.",
		Why:    "Retries at a fixed rate keep a struggling API server down; after each failure the next try must wait longer.",
		Hint: []string{
			"Step returns the old Duration and stores the new one. How often may it still do that?",
			"While Steps is positive: lower it by one, and multiply unless Factor is 0.",
		},
		Contract: []string{"if Steps is positive, it lowers Steps by one and, unless Factor is 0, multiplies Duration by Factor"},
		Source:   "apimachinery pkg/util/wait/backoff.go: Backoff.Step; apimachinery pkg/util/wait/wait_test.go: TestBackoff_Step",
		Public:   true,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			steps(t, s, Params{Duration: time.Second, Factor: 2, Steps: 3}, seconds(1, 2, 4, 8, 8, 8))
			steps(t, s, Params{Duration: 4 * time.Second, Factor: 0.5, Steps: 2}, seconds(4, 2, 1, 1))
			steps(t, s, Params{Duration: time.Second, Factor: 1, Steps: 2}, seconds(1, 1, 1))
			steps(t, s, Params{Duration: 1024 * time.Second, Factor: 1 + 1./1024, Steps: 1}, seconds(1024, 1025, 1025))
			steps(t, s, Params{Duration: time.Second, Steps: 2}, seconds(1, 1, 1))
		},
	},
}

// again breaks a loop off, and ranges over the same iter.Seq once more.
func again(t *conform.T, s Subject, ctx context.Context) {
	in := make(chan int, 4)
	for i := range 4 {
		in <- i
	}
	close(in)
	t.Note("in has the values 0 to 3, and is closed; values := OrDone(ctx, in)")
	values := s.OrDone(ctx, in)
	for _, want := range [][]int{{0}, {1, 2, 3}, nil} {
		var got []int
		ranging := t.Call("for v := range values { break at 0 }")
		for v := range values {
			if got = append(got, v); v == 0 || len(got) > 20 {
				break
			}
		}
		ranging.Returned("%v", got)
		t.Require(slices.Equal(got, want), "The channel had the values %v left when a loop over the same iter.Seq began, and the loop got %v.", want, got)
	}
}

// goesOn leaves a loop whose channel is empty for the moment, looks at what is registered with ctx then, and
// ranges over the same iter.Seq when more has come.
func goesOn(t *conform.T, s Subject, how string) {
	ctx := conform.NewRegistry(t.Context())
	in, sender := make(chan int), t.Named("sender")
	go func() {
		for v := range 3 {
			sender.Do(func() { in <- v }, "in <- %d", v)
			time.Sleep(time.Hour)
		}
		sender.Do(func() { close(in) }, "close(in)")
	}()
	values := s.OrDone(ctx, in)
	got := conform.Do(t.Actor, func() []int { return leave(values, how) }, "for v := range OrDone(ctx, in), and a %s at 0", how)
	t.Require(slices.Equal(got, []int{0}), "The channel had the value 0, at which the loop ends with a %s, and it got %v.", how, got)
	t.Wait()
	held := ctx.Waiting()
	unregistered(t, held, "A loop over OrDone ended with a "+how)
	got = conform.Do(t.Actor, func() []int { return leave(values, "") }, "for v := range the same iter.Seq, to its end")
	t.Require(slices.Equal(got, []int{1, 2}), "A loop ended with a %s when its channel was empty. Then 1 and 2 were sent, and the channel was closed. A later loop over the same iter.Seq should have got [1 2], and got %v.", how, got)
	t.Wait()
	held = ctx.End()
	unregistered(t, held, "A loop over OrDone ended with its channel")
}

// unregistered requires that nothing is held by a ctx which goes on.
func unregistered(t *conform.T, held int, what string) {
	t.Require(held == 0, "%s, and %s still registered with ctx, which goes on: a context that was derived from it and not cancelled, or a context.AfterFunc that was not stopped.", what, conform.Count(held, "function is", "functions are"))
}

// leave ranges over values with a body that ends with a break, a panic or runtime.Goexit at the first one, or
// goes on.
func leave(values iter.Seq[int], how string) (got []int) {
	if strings.HasSuffix(how, "Goexit") {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for v := range values {
				got = append(got, v)
				runtime.Goexit()
			}
		}()
		<-ended
		return got
	}
	left := false
	defer func() {
		if left {
			_ = recover()
		}
	}()
	for v := range values {
		got = append(got, v)
		switch {
		case how == "break" || len(got) > 20:
			return got
		case how == "panic":
			left = true
			panic("the body of the loop panics")
		}
	}
	return got
}

// wins has one of n tasks succeed after a second. Those whose bit is set in failing have failed by then, each at
// a moment of its own. The others go on until their context ends, for an hour at most.
func wins(t *conform.T, s Subject, n, winner, failing int) {
	began, late, refused := t.Elapsed(), make(chan int, n), errors.New("refused")
	given := make([]atomic.Pointer[context.Context], n)
	tasks := make([]Task, n)
	for i := range tasks {
		tasks[i] = func(ctx context.Context) (int, error) {
			given[i].Store(&ctx)
			switch {
			case i == winner:
				return after(time.Second, i+1, nil)(ctx)
			case failing>>i&1 == 1:
				return deaf(time.Duration(i)*time.Millisecond, 0, refused)(ctx)
			}
			v, err := after(time.Hour, i+1, nil)(ctx)
			if err == nil {
				late <- i
			}
			return v, err
		}
	}
	got, err := first(t, s, t.Context(), tasks...)
	select {
	case i := <-late:
		before := ""
		if failed := bits.OnesCount(uint(failing)); failed > 0 {
			before = fmt.Sprintf(" %s had failed before.", conform.Count(failed, "task"))
		}
		t.Fatalf("Task %d of %d succeeded after 1s, and the context of task %d was not cancelled then: it went on for 1h.%s", winner, n, i, before)
	default:
	}
	won(t, got, err, winner+1)
	t.OnTime("First returned", t.Elapsed()-began, time.Second, "the winner and the cancelled losers had returned")
	for i := range given {
		ctx := given[i].Load()
		t.Require(ctx != nil, "First returned, and task %d of %d was never run.", i, n)
		t.Require((*ctx).Err() != nil, "Task %d of %d succeeded, First has returned, and the context that it gave to task %d is not cancelled: its Err is nil.", winner, n, i)
	}
}

// cancelsAll has a task win while another, which does not listen, runs on for some time, and looks at all their
// contexts then.
func cancelsAll(t *conform.T, s Subject) {
	given, seen := make([]atomic.Pointer[context.Context], 4), make(chan []string, 1)
	takes := func(i int, task Task) Task {
		return func(ctx context.Context) (int, error) {
			given[i].Store(&ctx)
			return task(ctx)
		}
	}
	whose := []string{"of the task that has failed", "of the winner", "of a loser that listens to it", "of the loser that still runs"}
	got, err := first(t, s, t.Context(), takes(0, after(0, 0, errors.New("refused"))), takes(1, after(time.Second, 2, nil)), takes(2, after(time.Hour, 3, nil)),
		takes(3, func(context.Context) (int, error) {
			time.Sleep(2 * time.Second)
			var open []string
			for i := range given {
				if ctx := given[i].Load(); ctx == nil || (*ctx).Err() == nil {
					open = append(open, whose[i])
				}
			}
			seen <- open
			return 0, errors.New("late")
		}))
	open := <-seen
	t.Require(len(open) == 0, "Task 1 succeeded after 1s, and 1s later the context %s was not cancelled. First cancels the contexts of all tasks as soon as a task has succeeded, not when it returns.", strings.Join(open, " and that "))
	won(t, got, err, 2)
}

// keepsTasks looks at the caller's slice of tasks when First has returned, and at the place behind it.
func keepsTasks(t *conform.T, s Subject) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	const n = 3
	for winner := range n + 1 { // of the last call none
		tasks := make([]Task, n, n+1)
		for i := range tasks {
			tasks[i] = func(context.Context) (int, error) {
				if i == winner {
					return i, nil
				}
				return i, errors.New("refused")
			}
		}
		call := t.Call("First(ctx, tasks...), with a slice of %s", conform.Count(n, "task"))
		got, err := s.First(t.Context(), tasks...)
		call.Returned("%d, %s", got, conform.Said(err))
		for i, task := range tasks {
			t.Require(task != nil, "First has returned, and element %d of the caller's slice of tasks is nil now: the caller cannot use the slice again.", i)
			v, _ := task(ended)
			t.Require(v == i, "First has returned, and element %d of the caller's slice of tasks is another task now.", i)
		}
		t.Require(tasks[:n+1][n] == nil, "First has returned, and it has written into the array behind the caller's slice, past the last of %d tasks.", n)
	}
}

// failsAlone has task 0 fail for a reason of its own, which is no reason for task 1 to end.
func failsAlone(t *conform.T, s Subject, reason error) {
	type end struct {
		at  time.Duration
		err error
	}
	began, cut := t.Elapsed(), make(chan end, 1)
	t.Note("task 0 fails after 1s, and task 1 succeeds after 100h")
	got, err := first(t, s, t.Context(), after(time.Second, 1, reason), func(ctx context.Context) (int, error) {
		v, err := after(100*time.Hour, 2, nil)(ctx)
		if err != nil {
			cut <- end{t.Elapsed() - began, err}
		}
		return v, err
	})
	if len(cut) > 0 {
		end := <-cut
		t.Require(end.at > time.Second, "Task 0 failed with %s, and First cancelled the context of task 1, which had not ended yet.", conform.Said(reason))
		t.Fatalf("The context of task 1 ended %v after First was called, with %s. No task had succeeded by then, and ctx goes on.", end.at, conform.Said(end.err))
	}
	won(t, got, err, 2)
	t.OnTime("First returned", t.Elapsed()-began, 100*time.Hour, "the only task that succeeds had returned")
}

// nilWins lets a task succeed whose value is nil.
func nilWins(t *conform.T, s Subject) {
	began, a := t.Elapsed(), t.Named("task 0")
	call := t.Call("First[any](ctx, 3 tasks)")
	got, err := s.FirstAny(t.Context(),
		func(context.Context) (any, error) {
			return conform.Do2(a, func() (any, error) { time.Sleep(time.Second); return nil, nil }, "runs")
		},
		func(ctx context.Context) (any, error) { return after(2*time.Second, 2, nil)(ctx) },
		func(ctx context.Context) (any, error) { <-ctx.Done(); return 3, nil })
	call.Returned("%v, %s", got, conform.Said(err))
	t.Require(err == nil, "A task returned the value nil and no error, which is a success, and First returned %s.", conform.Said(err))
	overwritten := got != nil && t.Elapsed()-began == time.Second
	t.Require(!overwritten, "Task 0 succeeded first, with the value nil, and First returned %v, the value of a task that succeeded later: what a loser returns is thrown away.", got)
	t.Require(got == nil, "First returned %v. The task that succeeded first had returned the value nil: whether a task has succeeded is not to be seen by its value.", got)
	t.OnTime("First returned", t.Elapsed()-began, time.Second, "a task had succeeded, with the value nil, and the cancelled loser had returned")
}

// comeLate sends values for which a loop waits.
func comeLate(t *conform.T, s Subject) {
	in, sender := make(chan int), t.Named("sender")
	go func() {
		for v := range 3 {
			time.Sleep(100 * time.Hour)
			sender.Do(func() { in <- v }, "in <- %d", v)
		}
		sender.Do(func() { close(in) }, "close(in)")
	}()
	var got []int
	ranging := t.Call("for v := range OrDone(ctx, in)")
	for v := range s.OrDone(t.Context(), in) {
		if got = append(got, v); len(got) > 20 {
			break
		}
	}
	ranging.Returned("%v", got)
	t.Require(slices.Equal(got, []int{0, 1, 2}), "The values 0, 1 and 2 were sent 100h apart, while the loop waited, and then the channel was closed. The loop got %v.", got)
}

// anyValue sends nil and equal values, of which a loop gets each.
func anyValue(t *conform.T, s Subject) {
	in, want := alike()
	var got []any
	ranging := t.Call("for v := range OrDone[any](ctx, in)")
	for v := range s.OrDoneAny(t.Context(), in) {
		if got = append(got, v); len(got) > 20 {
			break
		}
	}
	ranging.Returned("%v", got)
	t.Require(slices.Equal(got, want), "The channel had the values %v and is closed, and the loop got %v.", want, got)
}

// mergeAlike merges an input that has nil and equal values, alone and with inputs that are closed.
func mergeAlike(t *conform.T, s Subject) {
	for n := 1; n <= 3; n++ {
		in, want := alike()
		inputs := []<-chan any{in}
		for len(inputs) < n {
			closed := make(chan any)
			close(closed)
			inputs = append(inputs, closed)
		}
		call := t.Call("Merge[any](ctx, %s)", conform.Count(n, "input"))
		out := s.MergeAny(t.Context(), inputs...)
		call.Returned("a channel")
		var got []any
		for v := range out {
			got = append(got, v)
		}
		t.Require(slices.Equal(got, want), "One of %s had the values %v, all of them are closed, and Merge delivered %v.", conform.Count(n, "input"), want, got)
	}
}

// mergeClosed merges many inputs that are all closed, so their ends meet.
func mergeClosed(t *conform.T, s Subject) {
	inputs := make([]<-chan int, 8)
	for i := range inputs {
		in := make(chan int)
		close(in)
		inputs[i] = in
	}
	silent(t, merge(t, s, t.Context(), inputs...))
	silent(t, merge(t, s, context.Background(), inputs...)) // a context that never ends holds nobody
}

// alike is a closed channel with nil and equal values, and what is in it.
func alike() (in chan any, values []any) {
	values = []any{nil, nil, 7, 7, nil}
	in = make(chan any, len(values))
	for _, v := range values {
		in <- v
	}
	close(in)
	return in, values
}

// steps compares what Step returns, call after call, with want.
func steps(t *conform.T, s Subject, p Params, want []time.Duration) {
	t.Note("Backoff%+v", p)
	b, began := s.Backoff(p), p
	var got []time.Duration
	wrong := ""
	for i, w := range want {
		got = append(got, conform.Do(t.Actor, b.Step, "Step()"))
		if got[i] != w && wrong == "" {
			wrong = fmt.Sprintf("Call %d of Step returned %v, and should have returned %v: before this call Duration is %v and Steps is %d.", i+1, got[i], w, p.Duration, p.Steps)
		}
		p = naive(p)
	}
	t.Require(wrong == "", "%s The Backoff began with Duration %v, Factor %v, Jitter %v, Steps %d and Cap %v. Its steps were %s; they should have been %s.",
		wrong, began.Duration, began.Factor, began.Jitter, began.Steps, began.Cap, moments(got), moments(want))
}

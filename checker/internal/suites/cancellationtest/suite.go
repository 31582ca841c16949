// Package cancellationtest is the conformance suite of lab 04.
//
// Of the foundations' rules it holds those on cancellation: a cancel unblocks
// receivers and senders, only the sender closes, no goroutine survives, losers are
// joined. Apimachinery's leaked timer (kubernetes#83895, one for each wait) is
// no fault here: since Go 1.23 a timer that nobody waits for is collected.
//
// What it can miss: a check of ctx that is missing only in the instants between two
// statements; a jitter that is random but not uniform; and a Merge that is
// fair on these schedules and starves an input on others.
package cancellationtest

import (
	"context"
	"iter"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// Task is what First runs.
type Task = func(context.Context) (int, error)

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
	ErrNoTasks error
	OrDone     func(ctx context.Context, in <-chan int) iter.Seq[int]
	Merge      func(ctx context.Context, inputs ...<-chan int) <-chan int
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
			"cmp", "context", "errors", "fmt", "iter", "maps", "math", "math/rand", "math/rand/v2", "slices",
			"sync", "sync/atomic", "time", "golang.org/x/sync/errgroup", "golang.org/x/sync/semaphore",
			// kit has a Backoff for the labs after this one: here it is what the learner builds.
			"github.com/controllerbook/controllerbook/labs/kit.TODO,NotImplemented",
		},
		Cases: conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that runs them against the real
// Kubernetes libraries.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// first calls First and writes the call into the history.
func first(t *conform.T, s Subject, ctx context.Context, tasks ...Task) (int, error) {
	return conform.Do2(t.Actor, func() (int, error) { return s.First(ctx, tasks...) }, "First(ctx, %d tasks)", len(tasks))
}

// won requires that First returned the value of the task that won.
func won(t *conform.T, got int, err error, want int) {
	require.NoError(t, err, "First returned an error although a task succeeded.")
	require.True(t, got == want, "First returned %d. The task that succeeded first had returned %d.", got, want)
}

// ended requires that what ends, a sentence's subject and verb, has done so just now, want
// after begin, which is when something else happened.
func ended(t *conform.T, what string, begin, want time.Duration, when string) {
	got := t.Elapsed() - begin
	require.GreaterOrEqual(t, got, want, "%s too early: after %v. It was %v when %s.", what, got, want, when)
	require.LessOrEqual(t, got, want, "%s too late: after %v. It was %v when %s.", what, got, want, when)
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
	call := t.Call("Merge(ctx, %d inputs)", len(inputs))
	out := s.Merge(ctx, inputs...)
	call.Returned("a channel")
	return out
}

// collect reads out until it is closed.
func collect(out <-chan int) []int {
	var got []int
	for v := range out {
		got = append(got, v)
	}
	return got
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
		t.Note("f is called, %v after the loop began", time.Since(begin))
		time.Sleep(took(len(at) - 1))
		if len(at) >= calls {
			cancel()
		}
	})
	return at
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

package goroutinestest

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

func panicBecomesError(t *conform.T, open func() Subject) {
	t.Virtual(func(t *conform.T) { panics(t, open()) })
	s := open()
	for range 20 {
		failsInTheCancel(t, s, true)
	}
	leavesTheSliceOfAFailure(t, s, "a task panicked")
}

func panics(t *conform.T, s Subject) {
	var right, wrong []string
	var bug runtime.Error // as a map that is nil, or an index, causes it
	func() {
		defer func() { bug, _ = recover().(runtime.Error) }()
		_ = strings.Fields("")[0]
	}()
	for _, limit := range []int{0, 1} {
		for _, want := range []any{"nil map", "", 7, errTask, bug, context.Canceled, s.PanicError("of a Gather inside the task"),
			[]string{"what == cannot compare"}, time.Minute, (*int)(nil), (*nothing)(nil), timeout{}} {
			err := panicsWith(t, s, limit, want)
			_, _, ok := s.PanicOf(err)
			if ok {
				right = append(right, fmt.Sprintf("the %T", want))
			} else {
				wrong = append(wrong, fmt.Sprintf("for the %T “%v” with limit %d it returned %s", want, want, limit, conform.Said(err)))
			}
			if len(wrong) == 0 { // else what is wrong with the others would only distract
				describes(t, s, err, want)
			}
		}
	}
	t.Require(len(wrong) == 0, "A task panicked, and Gather should have returned a *PanicError: %s. It did return one for: %s.", strings.Join(wrong, "; "), conform.Listed(slices.Compact(slices.Sorted(slices.Values(right)))))
	panicsSecond(t, s)
	for _, limit := range []int{0, 1} {
		alone(t, s, limit)
	}
	for _, limit := range []int{0, 2} {
		diesLate(t, s, limit, nil)
		diesLate(t, s, limit, errCause)
	}
	panicsLike(t, s)
	failsInside(t, s, "panics")
	for _, limit := range []int{1, 2} {
		nilWaitsForItsTurn(t, s, limit)
	}
}

// panicsWith has one of three tasks panic with want, and returns the error of Gather.
func panicsWith(t *conform.T, s Subject, limit int, want any) error {
	_, err := gather(t, s, limit, inTurn(3, func(ctx context.Context, a *conform.Actor, nth int) (int, error) {
		switch nth {
		case 1:
			return 1, nil
		case 2:
			return explode(a, want)
		}
		return heeds(ctx, a)
	})...)
	return err
}

// describes requires that a *PanicError says what a task panicked with, and where.
func describes(t *conform.T, s Subject, err error, want any) {
	value, stack, _ := s.PanicOf(err)
	t.Assert(itself(value, want), "A task panicked with the %T “%v”, and PanicError.Value is the %T “%v”: it should be what the task panicked with.", want, want, value, value)
	t.Assert(strings.Contains(string(stack), "goroutinestest.explode"),
		"PanicError.Stack has %d bytes, and does not show the function that panicked: it is not the stack of the goroutine while it panicked, or it is cut off.", len(stack))
	said := err.Error()
	t.Assert(strings.Contains(said, "panic") && strings.Contains(said, fmt.Sprint(want)), "A task panicked with the %T “%v”, and the error's text is “%s”: it says that a task panicked, and with what.", want, want, said)
}

// itself reports whether value is what a task panicked with, which == may not be able to compare.
func itself(value, want any) bool {
	return reflect.DeepEqual(value, want) && (!reflect.TypeOf(want).Comparable() || value == want)
}

// panicsSecond has a task panic when another one has failed.
func panicsSecond(t *conform.T, s Subject) {
	got, err := gather(t, s, 0, after(time.Second, 0, errTask), func(_ context.Context, a *conform.Actor) (int, error) {
		time.Sleep(2 * time.Second)
		return explode(a, "late")
	})
	failed(t, got, err, errTask, "the error of task 0, which had failed when task 1 panicked: a panic is a failure like any other")
}

// alone has Gather run a single task, which panics: far down in its goroutine, with nil, and because it is nil.
func alone(t *conform.T, s Subject, limit int) {
	const depth = 30 // a stack of a few KiB
	_, err := gather(t, s, limit, func(_ context.Context, a *conform.Actor) (int, error) { return descend(a, depth) })
	_, stack, ok := s.PanicOf(err)
	t.Require(ok, "The only task panicked, and Gather returned %s, which is no *PanicError.", conform.Said(err))
	shown := strings.Count(string(stack), "goroutinestest.descend(")
	t.Require(shown > depth, "%d calls of a function were on the stack of the task that panicked, and PanicError.Stack shows %d of them: it is cut off.", depth+1, shown)
	t.Require(strings.HasPrefix(string(stack), "goroutine "), "PanicError.Stack begins with %q: as runtime/debug.Stack gives it, it begins with the number of the goroutine.", firstLine(stack))
	before := slices.Clone(stack)
	_, err = gather(t, s, limit, func(_ context.Context, a *conform.Actor) (int, error) { return explode(a, nil) })
	value, _, _ := s.PanicOf(err)
	_, is := value.(*runtime.PanicNilError)
	t.Require(is, "The only task called panic(nil), and PanicError.Value is the %T “%v”: it should be what recover gives, a *runtime.PanicNilError.", value, value)
	t.Require(slices.Equal(stack, before), "PanicError.Stack was another one when a task of a later Gather had panicked.")
	nilTask(t, s, limit)
}

// nilTask has Gather run a single task, which is nil.
func nilTask(t *conform.T, s Subject, limit int) {
	_, err := run(t, s, t.Context(), limit, []Task{nil})
	_, stack, ok := s.PanicOf(err)
	t.Require(ok, "The only task was nil, and Gather returned %s, which is no *PanicError: who calls a nil function panics.", conform.Said(err))
	head := firstLine(stack)
	t.Require(strings.HasPrefix(head, "goroutine "), "The only task was nil, and PanicError.Stack begins with %q: it should be the stack of the goroutine that called the task, as runtime/debug.Stack gives it.", head)
	t.Require(strings.Fields(head)[1] != goroutine(), "The only task was nil, and PanicError.Stack is the stack of the goroutine that called Gather: a nil task fails in a goroutine of its own, when its turn comes, as any task that panics.")
}

// nilWaitsForItsTurn has a nil task among others that take a second each. Tasks may begin in any order.
func nilWaitsForItsTurn(t *conform.T, s Subject, limit int) {
	slow := func(ctx context.Context) (int, error) {
		time.Sleep(time.Second)
		t.Assert(limit > 1 || ctx.Err() == nil, "With limit 1 a task ran, and its context ended before it returned. The only task that could fail was nil: it fails when its turn comes, and that is not as long as another one runs.")
		return 0, nil
	}
	tasks := append(slices.Repeat([]Task{slow}, limit), nil)
	_, err := run(t, s, t.Context(), limit, tasks)
	_, _, ok := s.PanicOf(err)
	t.Require(ok, "One of %s was nil, and Gather returned %s, which is no *PanicError.", conform.Count(len(tasks), "task"), conform.Said(err))
}

func firstLine(stack []byte) string {
	line, _, _ := strings.Cut(string(stack), "\n")
	return line
}

// descend calls itself depth times, and panics.
//
//go:noinline
func descend(a *conform.Actor, depth int) (int, error) {
	if depth == 0 {
		return explode(a, "deep down")
	}
	return descend(a, depth-1)
}

package goroutinestest

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// leavesTheSlice gives Gather a slice with room behind it. The tasks are three different functions, and look
// at it while they run.
func leavesTheSlice(t *conform.T, s Subject) {
	var tasks []Task
	all := func() (code []uintptr) { // of functions nothing else can be compared
		for _, task := range tasks[:cap(tasks)] {
			code = append(code, reflect.ValueOf(task).Pointer())
		}
		return code
	}
	var before []uintptr
	var changed atomic.Bool
	look := func(i int) (int, error) {
		if !slices.Equal(all(), before) {
			changed.Store(true)
		}
		return i, nil
	}
	behind := func(context.Context) (int, error) { return look(3) }
	tasks = []Task{
		func(context.Context) (int, error) { return look(0) },
		func(context.Context) (int, error) { return look(1) },
		func(context.Context) (int, error) { return look(2) },
		behind,
	}[:3:4]
	before = all()
	t.Note("each task looks at the slice of tasks that Gather gets")
	got, err := run(t, s, t.Context(), 2, tasks)
	requireAll(t, 3, got, err)
	t.Require(!changed.Load(), "While the tasks ran, the slice of tasks that Gather was given, or what lies behind it in its array, was not what it had been: Gather does not change it.")
	t.Require(slices.Equal(all(), before), "When Gather had returned, the slice of tasks that it was given, or what lies behind it in its array, was not what it had been: Gather does not change it.")
}

// leavesTheSliceOfAFailure gives Gather a slice of which not all tasks are started: the one that begins first does what is
// said, or ctx has ended before.
func leavesTheSliceOfAFailure(t *conform.T, s Subject, ways ...string) {
	for _, what := range ways {
		ctx, cancel := context.WithCancel(t.Context())
		if what == "ctx had ended before" {
			cancel()
		}
		var begun atomic.Int32
		tasks := slices.Repeat([]Task{func(context.Context) (int, error) {
			if begun.Add(1) > 1 {
				return 0, nil
			}
			switch what {
			case "a task failed":
				return 0, errTask
			case "a task panicked":
				panic("nil map")
			case "a task cancelled ctx":
				cancel()
			}
			return 0, nil
		}}, 4)
		behind := tasks[:4]
		_, _ = run(t, s, ctx, 1, tasks[:3])
		cancel()
		same := !slices.ContainsFunc(behind, func(task Task) bool { return task == nil })
		t.Require(same, "With limit 1, %s, and when Gather had returned there was nil in the slice of tasks that it was given, or behind it in its array: Gather does not change it.", what)
	}
}

package goroutinestest

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// oneByOne has Gather run tasks of which the first to begin does what first does, and the
// others keep their slots until their context has ended. One task waits for its turn, or a
// few do. It returns which tasks began all the same: no slot was given back before, so each of them began after that.
func oneByOne(t *conform.T, s Subject, ctx context.Context, first func(a *conform.Actor) (int, error)) (more *further, got []int, err error) {
	limit := 1 + t.Rand().IntN(3)
	waiting := 1 + 3*t.Rand().IntN(2)
	more = &further{}
	got, err = gatherCtx(t, s, ctx, limit, inTurn(limit+waiting, func(ctx context.Context, a *conform.Actor, nth int) (int, error) {
		switch {
		case nth == 1:
			return first(a)
		case nth <= limit:
			_, _ = patient(ctx, a)
		default:
			more.begins(a, ctx)
		}
		return nth, nil
	})...)
	return more, got, err
}

// further are the tasks that began when no further task was to begin: those whose context was
// not cancelled yet, and those whose context was.
type further struct{ early, late atomic.Int32 }

func (f *further) begins(a *conform.Actor, ctx context.Context) {
	if ctx.Err() == nil {
		f.early.Add(1)
		a.Breaks("begins with a context that is not cancelled yet, and no task may begin any more")
		return
	}
	f.late.Add(1)
	a.Breaks("begins with a context that is cancelled already, and no task may begin any more")
}

func (f *further) all() int { return int(f.early.Load() + f.late.Load()) }

func errorStartsNoMore(t *conform.T, s Subject) {
	begun, early, wrong, tried := 0, 0, 0, 0
	// Once it has gone wrong it goes on for a while: which context the tasks got tells why.
	for ; tried < rounds && !t.Failed() && early == 0 && wrong < 20; tried++ {
		panics := tried%2 == 1
		more, got, err := oneByOne(t, s, t.Context(), func(a *conform.Actor) (int, error) {
			if panics {
				return explode(a, "nil map")
			}
			return 0, errTask
		})
		if _, _, ok := s.PanicOf(err); panics {
			t.Require(ok, "A task had panicked, and Gather returned %s, which is no *PanicError.", conform.Said(err))
		} else {
			failed(t, got, err, errTask, "the error of the task that failed")
		}
		if begun == 0 {
			begun = more.all()
		}
		if more.all() > 0 {
			wrong++
		}
		early = int(more.early.Load())
	}
	tell := "The context of each was cancelled already when it began."
	if early > 0 {
		tell = "The context of one that began was not cancelled yet: a slot was free before the failure had cancelled the context."
	}
	t.Require(begun == 0, "A task had failed, and of those that waited for their turn Gather still started %d. That happened in %d of %s. %s", begun, wrong, conform.Count(tried, "round"), tell)
}

// failTogether has all tasks that run but one fail at one moment. The last makes contexts below its own until that ends, as
// requests do, and fails then: the cancel of Gather's context has to wait for a lock that it takes, and a failure that
// leaves the cancel to another one gives its slot back meanwhile. Copies would only be in each other's way.
func failTogether(t *conform.T, s Subject) {
	const failing, limit, waiting = 4, 5, 3
	wrong, tried := 0, 0
	for ; tried < rounds && !t.Failed() && wrong < 5; tried++ {
		var begun atomic.Int32
		tasks := slices.Repeat([]Task{func(ctx context.Context) (int, error) {
			nth := int(begun.Add(1))
			if nth > limit {
				return 0, nil
			}
			for i := 0; i < 1000 && int(begun.Load()) < limit; i++ { // a Gather that does not reach its limit is another case's
				runtime.Gosched()
			}
			for i := 0; nth > failing && i < 1000 && ctx.Err() == nil; i++ {
				_, stop := context.WithCancel(ctx)
				stop()
			}
			return 0, errTask // no task gives its slot back without having failed
		}}, limit+waiting)
		got, err := run(t, s, t.Context(), limit, tasks)
		failed(t, got, err, errTask, "the error of the task that failed")
		if int(begun.Load()) > limit {
			wrong++
		}
	}
	t.Require(wrong == 0, "%d tasks failed at one moment, and Gather still started tasks that waited for their turn. That happened in %d of %s: one of the failures gave its slot back before the context had been cancelled.",
		failing, wrong, conform.Count(tried, "round"))
}

// stopsWithoutBound gives Gather thousands of tasks and no bound. The first to begin calls end, which cancels ctx or
// fails. Gather may have started all tasks before that, and so what counts is which goroutines there are when a task
// sees that its context has ended: a task that none of them can run is started later.
func stopsWithoutBound(t *conform.T, s Subject, what string, end func(cancel context.CancelFunc) error) {
	const n = 4000
	for range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		var begun, there atomic.Int32
		var once sync.Once
		tasks := slices.Repeat([]Task{func(ctx context.Context) (int, error) {
			if begun.Add(1) == 1 {
				return 0, end(cancel)
			}
			if ctx.Err() != nil {
				once.Do(func() {
					alive := int32(runtime.NumGoroutine()) // first: what ends from now on is counted twice, and not missed
					there.Store(alive + begun.Load())
				})
			}
			return 0, nil
		}}, n)
		_, err := run(t, s, ctx, 0, tasks)
		cancel()
		if there.Load() == 0 {
			continue
		}
		few := 2*there.Load() + 500 // a goroutine may be about to start another one or two
		t.Require(begun.Load() <= few, "%s, and with limit 0 Gather had started fewer than %d of %d tasks when another task saw the context end. In the end %d had run, and Gather returned %s: no further task is started.",
			what, few, n, begun.Load(), conform.Said(err))
	}
}

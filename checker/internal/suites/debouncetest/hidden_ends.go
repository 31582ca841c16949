package debouncetest

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
)

var hiddenEnds = []conform.Case[Subject]{
	{
		Name:   "close-during-a-push",
		Points: 5,
		Func:   "Debouncer.Run",
		Rule:   "When updates is closed during a push, what is pending is pushed after it, and Run returns only when the last push has returned.",
		Why:    "The process exits when Run returns: a push that is still running then is cut off in the middle of the mesh.",
		Hint: []string{
			"How many things must be true before Run may return nil?",
			"Closed, nothing pending, no push running: check all three each time something has happened.",
		},
		Contract: []string{"Run pushes what is pending without waiting until it is due, after the running push if there is one. When that push has returned, Run returns nil."},
		Source:   "the contract of this lab",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			got := play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 370), took: ms(500), closed: 400 * time.Millisecond})
			got.pushed(t, "updates was closed with an update pending and a push running until 600ms.", at(100, 0, 0), at(600, 1, 1))
			got.ended(t, nil, 1100*time.Millisecond, "the last push had returned")
			got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 550), took: ms(500), closed: 570 * time.Millisecond})
			got.pushed(t, "updates was closed at 570ms during a push until 600ms, with an update pending that was not due before 650ms.", at(100, 0, 0), at(600, 1, 1))
			got.ended(t, nil, 1100*time.Millisecond, "the last push had returned")
			got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0), took: ms(500), closed: 400 * time.Millisecond})
			got.pushed(t, "One update came, and updates was closed during its push.", at(100, 0, 0))
			got.ended(t, nil, 600*time.Millisecond, "the last push had returned")
			got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0), took: ms(3_600_000), closed: 400 * time.Millisecond})
			got.ended(t, nil, time.Hour+quiet, "a push of an hour had returned")
			got = play(t, s, script{max: longest, updates: ms(0, 370), took: ms(500), closed: 400 * time.Millisecond})
			got.pushed(t, "Without a Quiet, updates was closed with an update pending and a push running until 500ms.", at(0, 0, 0), at(500, 1, 1))
			got.ended(t, nil, 1000*time.Millisecond, "the last push had returned")
		},
	},
	{
		Name:   "cancel-drops-what-is-pending",
		Points: 5,
		Func:   "Debouncer.Run",
		Rule:   "When ctx is cancelled and neither push nor merge runs, Run returns ctx.Err() at once, pushes nothing more and leaves nothing running.",
		Why:    "A leader that has lost its lease must not push: the next leader has already pushed something newer.",
		Hint: []string{
			"Where does Run block? Does it listen to ctx there?",
			"No flush on this path: a caller who wants one closes updates.",
		},
		Contract: []string{
			"Once ctx is done no push is begun and what is pending is dropped",
			"Run waits until push and merge, if they run, have returned, and returns ctx.Err().",
			"When Run returns, no goroutine that it started is left.",
			"A nil channel never delivers and is never closed.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (case <-stopCh returns)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			got := play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 200, 240), cancelled: 270 * time.Millisecond})
			got.pushed(t, "Updates came at 0ms, 200ms and 240ms, and ctx was cancelled at 270ms.", at(100, 0, 0))
			got.ended(t, context.Canceled, 270*time.Millisecond, "ctx was cancelled")
			for range 20 {
				got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 50), cancelled: 70 * time.Millisecond})
				got.pushed(t, "Updates came at 0ms and 50ms, and ctx was cancelled at 70ms.")
				got.ended(t, context.Canceled, 70*time.Millisecond, "ctx was cancelled")
			}
			got = play(t, s, script{quiet: quiet, max: longest, cancelled: 70 * time.Millisecond})
			got.ended(t, context.Canceled, 70*time.Millisecond, "ctx was cancelled, before the first update")
			got = play(t, s, script{quiet: 48 * time.Hour, updates: ms(0), cancelled: 70 * time.Millisecond})
			got.ended(t, context.Canceled, 70*time.Millisecond, "ctx was cancelled, with Quiet 48h and an update pending")
			nearDeadline(t, s)
			got = play(t, s, script{none: true, quiet: quiet, max: longest, cancelled: 70 * time.Millisecond})
			got.pushed(t, "updates was a nil channel, which never delivers.")
			got.ended(t, context.Canceled, 70*time.Millisecond, "updates was a nil channel, which is never closed, and ctx was cancelled")
		},
	},
	{
		Name:   "cancel-waits-for-the-push",
		Points: 5,
		Func:   "Debouncer.Run",
		Rule:   "push learns of the cancellation through its context, and Run returns only when a running push or merge has returned.",
		Why:    "The caller of Run must know that no push is running: a push that outlives its leader is a second leader.",
		Hint: []string{
			"Which context do you pass to push?",
			"After the loop, if a push is under way, receive its report once more.",
			"Which of the two does select take where an update is ready and ctx is done? Look at ctx before each receive.",
		},
		Contract: []string{
			"push gets ctx or a context derived from it, which is done when ctx is and, as long as push runs, not before.",
			"Run waits until push and merge, if they run, have returned, and returns ctx.Err(). While it waits it receives nothing from updates",
			"if ctx is done before Run is called, it receives nothing at all, and returns ctx.Err() even if updates is closed.",
			"Each later update u is merged into the batch as soon as it is received, with merge(batch, u)",
			"While merge runs, Run may receive one more update, but not two; the waits of that one, too, are counted from when it was received.",
			"Once ctx is done no push is begun and what is pending is dropped",
			"When Run returns, no goroutine that it started is left.",
		},
		Source: "the contract of this lab; lab 01: a function that returns has no goroutines left",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			t.Virtual(func(t *conform.T) {
				got := play(t, s, script{quiet: quiet, max: longest, updates: ms(0, 150), took: ms(900), cancelled: 300 * time.Millisecond})
				got.pushed(t, "A push ran and an update was pending when ctx was cancelled.", at(100, 0, 0))
				got.ended(t, context.Canceled, longest, "the push that ran at the cancellation had returned")
				got = play(t, s, script{quiet: quiet, max: longest, updates: ms(0), took: ms(3_600_000), cancelled: 300 * time.Millisecond})
				got.ended(t, context.Canceled, time.Hour+quiet, "a push that went on for an hour had returned")
				heard(t, s, false)
				heard(t, s, true)
				undisturbed(t, s)
				for range 20 {
					inMerge(t, s)
				}
				for _, deadline := range []bool{false, true} {
					closedAndCancelled(t, s, deadline)
					untouched(t, s, deadline, false)
					untouched(t, s, deadline, true)
					tooLate(t, s, deadline)
				}
				leavesNothing(t, s, false)
			})
			inBoth(t, s, false)
			inBoth(t, s, true)
		},
	},
	{
		Name:   "cancel-beats-due",
		Points: 5,
		Func:   "Debouncer.Run",
		Rule:   "Once ctx is done no push is begun, not even when a batch is overdue and the push before it has just ended.",
		Why:    "The moment of losing the lease is the busiest one: everything is pending and everything is late.",
		Hint: []string{
			"The push has ended and ctx is done: which of the two does select report?",
			"Check ctx.Err() once more before you begin a push.",
		},
		Contract: []string{"Once ctx is done no push is begun and what is pending is dropped"},
		Source:   "The Go Programming Language Specification, Select statements: uniform pseudo-random selection",
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			t.Virtual(func(t *conform.T) {
				for round := range 24 {
					cancelledInMerge(t, s, round%2 == 0)
				}
			})
			overdueInMerge(t, s, false)
			overdueInMerge(t, s, true)
		},
	},
	{
		Name:   "debounce-model",
		Points: 7,
		Func:   "Debouncer.Run",
		Rule:   "For any updates, waits and lengths of pushes, each push begins when the contract says and carries what it says.",
		Why:    "A debouncer that is right for a burst and for a stream can still be wrong for a stream that meets a slow push.",
		Hint: []string{
			"Read the failing history: which push came too early, too late, or not at all, and what had happened just before?",
			"A batch is pushed at the later of two moments: when it is due, and when the push before it has returned.",
		},
		Contract: []string{
			"A batch is due when Quiet has passed since its last update or Max since its first, whichever is earlier.",
			"It is pushed at the moment it is due",
			"is pushed as soon as the running push has returned",
		},
		Source: "a naive model in event time, checked by pgregory.net/rapid",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 150, func(rt *rapid.T, t *conform.T) {
				p := draw(rt)
				got := play(t, open(), p)
				want := naive(p)
				wrong := got.wrong(want)
				t.Require(wrong == "", "%s %s Updates came at %v, with Quiet %v, Max %v and pushes of %v.", wrong, got.all(), p.updates, p.quiet, p.max, p.took)
				if p.cancelled > 0 {
					t.Require(got.err == context.Canceled, "ctx was cancelled, and Run returned %s: it should have returned ctx.Err().", conform.Said(got.err))
					return
				}
				t.Require(got.err == nil, "updates was closed and everything pushed, and Run returned %s: it should have returned nil.", conform.Said(got.err))
			})
		},
	},
}

// nearDeadline runs with a context whose deadline comes before the batch is due.
func nearDeadline(t *conform.T, s Subject) {
	ctx, cancel := context.WithTimeout(t.Context(), quiet/2)
	defer cancel()
	t.Ends(ctx)
	updates := make(chan *Update, 1)
	updates <- &Update{[]int{0}}
	pushing, began := t.Named("push"), time.Now()
	push := recorded(pushing, func(context.Context, *Update) {
		t.Errorf("An update came, with Quiet %v, and ctx has a deadline in %v. It was pushed after %v: it is not due before ctx ends, and is dropped then.", quiet, quiet/2, time.Since(began))
	})
	err := conform.Do(t.Actor, func() error { return s.Run(ctx, quiet, longest, updates, inPlace(t), push) }, "Run with Quiet %v, an update ready, and a deadline after %v", quiet, quiet/2)
	outcome{returned: time.Since(began), err: err}.ended(t, context.DeadlineExceeded, quiet/2, "ctx was done")
}

// ending returns a context, and what ends it: a cancel, or a wait for a deadline.
func ending(t *conform.T, deadline bool) (context.Context, func()) {
	if !deadline {
		ctx, cancel := context.WithCancelCause(t.Context())
		return ctx, func() { t.Do(func() { cancel(errCause) }, "cancel()") }
	}
	ctx, cancel := context.WithTimeoutCause(t.Context(), longest/2, errCause)
	return ctx, func() { t.Do(func() { <-ctx.Done(); cancel() }, "waits for the deadline of ctx") }
}

// closedAndCancelled closes updates during a push, with a batch pending, and then ends ctx.
func closedAndCancelled(t *conform.T, s Subject, deadline bool) {
	ctx, end := ending(t, deadline)
	updates := make(chan *Update)
	pushes := 0
	push := recorded(t.Named("push"), func(context.Context, *Update) { pushes++; time.Sleep(longest) })
	var err error
	t.Go("Run", func(a *conform.Actor) {
		err = conform.Do(a, func() error { return s.Run(ctx, quiet, longest, updates, inPlace(t), push) }, "Run with Quiet %v and pushes of %v", quiet, longest)
	})
	send(t, updates, 0)
	time.Sleep(2 * quiet)
	send(t, updates, 1)
	t.Do(func() { close(updates) }, "close(updates)")
	t.Wait()
	end()
	t.Join()
	const story = "While the first push ran and a batch was pending, updates was closed, and then ctx was done."
	t.Require(pushes == 1, "%s Run began %s: once ctx is done no push is begun, also where updates is closed.", story, conform.Count(pushes-1, "more push", "more pushes"))
	t.Require(err == ctx.Err(), "%s Run returned %s: it should have returned ctx.Err(), which is %s, as it did where updates was not closed.", story, conform.Said(err), conform.Said(ctx.Err()))
}

// untouched sends updates while a Run whose ctx is done waits for its push, with a batch pending or without.
func untouched(t *conform.T, s Subject, deadline, pending bool) {
	ctx, end := ending(t, deadline)
	updates := make(chan *Update, 3)
	t.Go("Run", func(a *conform.Actor) {
		push := recorded(a, func(context.Context, *Update) { time.Sleep(longest) })
		conform.Do(a, func() error { return s.Run(ctx, quiet, longest, updates, inPlace(t), push) }, "Run with Quiet %v and pushes of %v", quiet, longest)
	})
	send(t, updates, 0)
	time.Sleep(2 * quiet)
	if pending {
		send(t, updates, 1)
		t.Wait()
	}
	end()
	t.Wait()
	for i := range cap(updates) {
		send(t, updates, 2+i) // into the buffer
	}
	t.Join()
	t.Require(len(updates) == cap(updates), "ctx was done while a push ran, and Run received %s after that: nobody will ever push them.", conform.Count(cap(updates)-len(updates), "update"))
}

// tooLate calls Run with a context that is done, and updates that wait in a buffer.
func tooLate(t *conform.T, s Subject, deadline bool) {
	ctx, end := ending(t, deadline)
	end()
	pushing := t.Named("push")
	for range 20 {
		updates := make(chan *Update, 5)
		for i := range cap(updates) {
			updates <- &Update{[]int{i}}
		}
		push := recorded(pushing, func(context.Context, *Update) { pushing.Breaks("a push begins, and ctx has ended") })
		err := conform.Do(t.Actor, func() error { return s.Run(ctx, quiet, longest, updates, inPlace(t), push) }, "Run with a ctx that is done, and 5 updates ready")
		t.Require(err == ctx.Err(), "ctx was done before Run was called, and Run returned %s: it should have returned ctx.Err(), which is %s.", conform.Said(err), conform.Said(ctx.Err()))
		t.Require(len(updates) == cap(updates), "ctx was done before Run was called, and Run received %s that nobody will ever push: it should have received nothing.", conform.Count(cap(updates)-len(updates), "update"))
		none := make(chan *Update)
		close(none)
		err = conform.Do(t.Actor, func() error { return s.Run(ctx, quiet, longest, none, inPlace(t), push) }, "Run with a ctx that is done, and updates closed")
		t.Require(err == ctx.Err(), "ctx was done before Run was called, and updates was closed. Run returned %s: it should have returned ctx.Err(), which is %s.", conform.Said(err), conform.Said(ctx.Err()))
	}
}

// heard cancels a Run whose push returns only when its context is done. The push is
// of a batch that is due, or of one that is pending at the close of updates.
func heard(t *conform.T, s Subject, closed bool) {
	type key struct{}
	ctx, cancel := context.WithTimeoutCause(context.WithValue(t.Context(), key{}, "leader"), time.Hour, errCause)
	defer cancel()
	want, _ := ctx.Deadline()
	updates := make(chan *Update, 1)
	updates <- &Update{[]int{0}}
	story := "Run's context ends after 1h"
	if closed {
		close(updates)
		story += ", and updates is closed"
	}
	var ended atomic.Bool
	began := time.Now()
	t.Ends(ctx)
	pushing := t.Named("push")
	call := t.Call("Run with Quiet %v", quiet)
	err := s.Run(ctx, quiet, longest, updates, inPlace(t), recorded(pushing, func(ctx context.Context, _ *Update) {
		deadline, _ := ctx.Deadline()
		t.Assert(!deadline.IsZero(), "%s. push got a context that is not derived from Run's: it has no deadline.", story)
		t.Assert(deadline.Equal(want), "%s. push got a context that ends after %v: %v after this push began.", story, deadline.Sub(began), time.Until(deadline))
		t.Assert(ctx.Value(key{}) == "leader", "%s. push got a context that is not derived from Run's: it does not have the values of that.", story)
		pushing.Do(func() { <-ctx.Done() }, "waits until its context ends")
		t.Assert(time.Since(began) == time.Hour, "%s, and that of push ended after %v.", story, time.Since(began))
		if closed {
			pushing.Note("ctx has ended, updates is closed: Run waits for this push alone")
		}
		time.Sleep(50 * time.Millisecond)
		ended.Store(true)
	}))
	call.Returned("%v", err)
	t.Require(ended.Load(), "Run returned while push was still running: it waits for the push under way.")
	if closed && err == nil {
		err = context.DeadlineExceeded // nothing was pending: either is allowed
	}
	outcome{returned: time.Since(began), err: err}.ended(t, context.DeadlineExceeded, time.Hour+50*time.Millisecond, "the push that ran at the deadline had returned")
}

// undisturbed looks at the contexts of three pushes while updates come, wait longer than Max, and end, and
// then cancels.
func undisturbed(t *conform.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	updates := make(chan *Update)
	var pushes atomic.Int32
	push := recorded(t.Named("push"), func(ctx context.Context, _ *Update) {
		n := pushes.Add(1)
		t.Assert(ctx.Err() == nil, "Push %d got a context that had ended already: %s. Run's had not.", n, conform.Said(ctx.Err()))
		began, lasts := time.Now(), time.After([]time.Duration{3 * longest, 48 * time.Hour, 48 * time.Hour}[min(n, 3)-1])
		select {
		case <-ctx.Done():
			t.Errorf("The context of push %d ended %v after that push had begun, while it ran, and Run's had not ended. Its Err is %s. During the first two pushes updates came until the next batch had waited longer than Max, and during the third updates was closed. The context of a push is done when ctx is and, as long as push runs, not before.", n, time.Since(began), conform.Said(ctx.Err()))
			return
		case <-lasts:
		}
		if n < 3 {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Hour):
			t.Errorf("ctx was cancelled during the last push, and an hour later the context that push had got was not done.")
		}
	})
	t.Go("Run", func(a *conform.Actor) {
		conform.Do(a, func() error { return s.Run(ctx, quiet, longest, updates, inPlace(t), push) }, "Run with Quiet %v, Max %v", quiet, longest)
	})
	send(t, updates, 0)
	time.Sleep(2 * quiet)
	for i := range 16 { // the first push ends after the ninth
		time.Sleep(3 * quiet)
		send(t, updates, 1+i)
	}
	time.Sleep(49 * time.Hour)
	t.Do(func() { close(updates) }, "close(updates)")
	time.Sleep(47*time.Hour + 30*time.Minute)
	t.Do(cancel, "cancel()")
	t.Join()
	t.Require(pushes.Load() == 3, "An update came before the first push, others during it and during the second: that is three pushes, and there were %d.", pushes.Load())
}

// inMerge cancels a Run whose merge takes a while longer.
func inMerge(t *conform.T, s Subject) {
	ctx, cancel := context.WithCancel(t.Context())
	updates := make(chan *Update, 5)
	for i := range cap(updates) {
		updates <- &Update{[]int{i}}
	}
	merges := t.Named("merge")
	var merged atomic.Bool
	left := -1
	merge := func(batch, update *Update) *Update {
		call := merges.Call("merge")
		if merged.Load() {
			merges.Breaks("another update is merged, and ctx has ended")
		}
		if left < 0 {
			yield() // a Run that receives one more does so now
			left = len(updates)
		}
		merges.Do(cancel, "cancel()")
		yield()
		merged.Store(true)
		call.Returned("")
		return inPlace(t)(batch, update)
	}
	push := func(context.Context, *Update) { t.Breaks("a push begins, and ctx has ended") }
	err := conform.Do(t.Actor, func() error { return s.Run(ctx, quiet, longest, updates, merge, push) }, "Run with Quiet %v", quiet)
	t.Require(merged.Load(), "ctx was cancelled while merge ran, and Run returned before merge did: what the caller does next meets a merge that still changes the batch.")
	if left >= 0 {
		mergedLate(t, cap(updates), left)
	}
	t.Require(len(updates) == left, "ctx was cancelled in the first call of merge, with %s ready, and Run received %d after that: nobody will ever push them.", conform.Count(left, "more update"), left-len(updates))
	t.Require(err == context.Canceled, "ctx was cancelled, and Run returned %s: it should have returned ctx.Err().", conform.Said(err))
}

// inBoth cancels a Run whose merge and whose push run, on the real scheduler for the reason of slowMerge. One of them
// returns at once. The other goes on until Run has returned or, if it does not, for some time.
func inBoth(t *conform.T, s Subject, pushLasts bool) {
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	updates := make(chan *Update, 3)
	cancelled, first, returned := make(chan struct{}), make(chan struct{}), make(chan struct{})
	goes, goesFirst := sync.OnceFunc(func() { close(cancelled) }), sync.OnceFunc(func() { close(first) })
	lasts := func(what, other string) {
		<-first
		select {
		case <-returned:
			t.Errorf("ctx was cancelled while merge and push ran. %s returned, and then Run did, while %s still ran: Run waits until push and merge, if they run, have returned.", other, what)
		case <-time.After(50 * time.Millisecond):
		}
	}
	pushing, merges := t.Named("push"), t.Named("merge")
	push := recorded(pushing, func(context.Context, *Update) {
		updates <- &Update{[]int{1}}
		updates <- &Update{[]int{2}}
		<-cancelled
		if pushLasts {
			lasts("push", "merge")
		}
		goesFirst()
	})
	merge := func(batch, update *Update) *Update {
		call := merges.Call("merge")
		merges.Do(cancel, "cancel()")
		goes()
		if !pushLasts {
			lasts("merge", "push")
		}
		call.Returned("")
		goesFirst()
		return inPlace(t)(batch, update)
	}
	updates <- &Update{[]int{0}}
	err := conform.Do(t.Actor, func() error { return s.Run(ctx, quiet/10, 0, updates, merge, push) }, "Run with Quiet %v", quiet/10)
	close(returned)
	t.Require(err == context.Canceled, "ctx was cancelled, and Run returned %s: it should have returned ctx.Err().", conform.Said(err))
}

// overdueInMerge cancels a Run, or has its deadline pass, in a merge that takes as long as Quiet, on the real
// scheduler, for the reason of slowMerge: when merge returns the batch is due, and ctx is done.
func overdueInMerge(t *conform.T, s Subject, deadline bool) {
	const quiet = 20 * time.Millisecond
	ctx, cancel := t.WithCancel(t.Context(), "ctx")
	defer cancel()
	what, want := "was cancelled", context.Canceled
	if deadline {
		var stop func()
		ctx, stop = t.WithTimeout(ctx, quiet/2, "ctx")
		defer stop()
		what, want = "came to its deadline", context.DeadlineExceeded
	}
	var merged atomic.Bool
	updates := make(chan *Update, 2)
	updates <- &Update{[]int{0}}
	updates <- &Update{[]int{1}}
	pushing, merges := t.Named("push"), t.Named("merge")
	push := recorded(pushing, func(ctx context.Context, _ *Update) {
		if !t.Assert(!merged.Load(), "ctx %s in merge, which took as long as Quiet, so the batch was due when merge returned. Run pushed it: once ctx is done no push is begun.", what) {
			pushing.Breaks("a push begins, and ctx has ended")
		}
		if !deadline {
			cancel() // the machine took its time before Run could receive update 1
		}
	})
	merge := func(batch, update *Update) *Update {
		call := merges.Call("merge")
		time.Sleep(quiet)
		if !deadline {
			cancel()
		}
		<-ctx.Done()
		merged.Store(true)
		call.Returned("after %v", quiet)
		return inPlace(t)(batch, update)
	}
	err := conform.Do(t.Actor, func() error { return s.Run(ctx, quiet, 0, updates, merge, push) }, "Run with Quiet %v, updates 0 and 1 ready", quiet)
	t.Require(err == want, "ctx %s, and Run returned %s: it should have returned ctx.Err(), which is %s.", what, conform.Said(err), conform.Said(want))
}

// yield lets other goroutines go on, without the clock: a sleep would stop the bubble of a
// Run that merges under a lock.
func yield() {
	for range 1000 {
		runtime.Gosched()
	}
}

// cancelledInMerge blocks Run in merge until a push has returned and ctx is
// cancelled, with a batch overdue: when merge returns, everything is ready at once.
func cancelledInMerge(t *conform.T, s Subject, closed bool) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	updates := make(chan *Update, 1)
	updates <- &Update{[]int{0}}
	var pushes atomic.Int32
	merging := make(chan struct{})
	pushing, merges := t.Named("push"), t.Named("merge")
	push := func(context.Context, *Update) {
		if pushes.Add(1) > 1 {
			pushing.Breaks("a push begins, and ctx has ended")
			return
		}
		updates <- &Update{[]int{1}}
		time.Sleep(50 * time.Millisecond) // long enough for update 1 to be overdue
		updates <- &Update{[]int{2}}
		pushing.Note("sends updates 1 and, when that is overdue, 2")
		if closed {
			pushing.Do(func() { close(updates) }, "close(updates)")
		}
		<-merging
	}
	merge := func(batch, update *Update) *Update {
		call := merges.Call("merge")
		close(merging)
		yield() // push returns meanwhile
		merges.Do(cancel, "cancel()")
		call.Returned("")
		return inPlace(t)(batch, update)
	}
	err := conform.Do(t.Actor, func() error {
		return s.Run(ctx, 10*time.Millisecond, 20*time.Millisecond, updates, merge, recorded(pushing, push))
	}, "Run with Quiet 10ms, Max 20ms")
	t.Wait()
	t.Require(pushes.Load() == 1, "ctx was cancelled after the first push, with a batch overdue, and Run began %d more.", pushes.Load()-1)
	t.Require(err == context.Canceled, "ctx was cancelled, and Run returned %s: it should have returned ctx.Err().", conform.Said(err))
}

// draw makes a script in which no two events meet: every update has microseconds
// of its own, and all else is counted in whole milliseconds from some update.
func draw(rt *rapid.T) script {
	whole := func(name string, low, high int) time.Duration {
		return time.Duration(rapid.IntRange(low, high).Draw(rt, name)) * 10 * time.Millisecond
	}
	p := script{quiet: whole("quiet", 0, 20), max: whole("max", 0, 60)}
	n := rapid.IntRange(0, 25).Draw(rt, "updates")
	now := time.Duration(0)
	for i := range n {
		now += whole("gap", 0, 25)
		p.updates = append(p.updates, now+time.Duration(i+1)*time.Microsecond)
	}
	for range rapid.IntRange(1, 4).Draw(rt, "pushes") {
		p.took = append(p.took, whole("took", 0, 80))
	}
	end := now + whole("end", 0, 100) + time.Duration(n+1)*time.Microsecond
	if rapid.Bool().Draw(rt, "cancelled") {
		p.cancelled = end
	} else {
		p.closed = end
	}
	return p
}

// naive is the contract in event time: which pushes a script leads to. It knows no
// goroutines and no clock, only when each update came.
func naive(p script) []pushed {
	var pushes []pushed
	var idle time.Duration // when the last push ends
	for i := 0; i < len(p.updates); {
		first, ids := p.updates[i], []int{i}
		at := p.begins(first, first, idle)
		for i++; i < len(p.updates) && p.updates[i] < at; i++ {
			ids = append(ids, i)
			at = p.begins(first, p.updates[i], idle)
		}
		if i == len(p.updates) && p.cancelled == 0 {
			at = min(at, max(p.closed, idle))
		}
		if p.cancelled > 0 && at > p.cancelled {
			break
		}
		because := p.because(at, first, p.updates[i-1], idle)
		idle = at + p.took[min(len(pushes), len(p.took)-1)]
		pushes = append(pushes, pushed{at, ids, because})
	}
	return pushes
}

// because says why a batch with these first and last updates is pushed at that moment.
func (p script) because(at, first, last, idle time.Duration) string {
	switch at {
	case last + p.quiet:
		return fmt.Sprintf(" Its last update was received at %v, and Quiet is %v.", last, p.quiet)
	case first + p.max:
		return fmt.Sprintf(" Its first update was received at %v, and Max is %v.", first, p.max)
	case idle:
		return " It was due, and the push before it had just returned."
	}
	return " updates had just been closed."
}

// begins is when a batch is pushed that no other update joins.
func (p script) begins(first, last, idle time.Duration) time.Duration {
	due := last + p.quiet
	if p.max > 0 {
		due = min(due, first+p.max)
	}
	return max(due, idle)
}

package backpressuretest

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// cancelled ends the ctx of Run when so many of n values were handled, in a pump that is closed or is not.
func cancelled(t *conform.T, s Subject, n, after int, closed bool) {
	ctx, cancel := context.WithCancelCause(t.Context())
	p := pump(t, s)
	addAll(t, p, 1, 1+n)
	if closed {
		t.Do(p.Close, "p.Close()")
	}
	end := func() { t.Do(func() { cancel(errCause) }, "cancel()") }
	if after == 0 {
		end()
	}
	var got []int
	err := runPump(t.Actor, ctx, p, recorded(t.Actor, func(v *Item) {
		if len(got) == after {
			t.Breaks("handle is called, and ctx has ended")
		}
		got = append(got, idOf(v))
		if idOf(v) == after {
			end()
		}
	}))
	t.Require(len(got) <= after, "The context was cancelled when %d values had been handled, and Run called handle %d times more.", after, len(got)-after)
	gives(t, err, context.Canceled, "ctx.Err()", "Run whose context was cancelled")
	sequence(t, "What was handled before the cancel", got, between(1, 1+after))
	over(t, p)
}

// sudden is a context that ends right after its nth answer: what Run has just seen of it is
// no longer true when Run goes to sleep.
type sudden struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int32
}

// Err answers, and may end the context then.
func (c *sudden) Err() error {
	err := c.Context.Err()
	c.answered()
	return err
}

// Done counts as a question, too.
func (c *sudden) Done() <-chan struct{} {
	c.answered()
	return c.Context.Done()
}

// answered gives those who wait for the end time to act before its caller goes on.
func (c *sudden) answered() {
	if c.left.Add(-1) == 0 {
		c.end()
		for range 200 {
			runtime.Gosched()
		}
	}
}

// suddenly ends the ctx of an idle Run at the nth time that it is asked, or after a second.
func suddenly(t *conform.T, s Subject, n int) {
	p := pump(t, s)
	inner, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx := &sudden{Context: inner, end: cancel}
	ctx.left.Store(int32(n))
	time.AfterFunc(time.Second, cancel)
	t.Note("ctx ends right after Run, which finds nothing pending, has asked it %s", conform.Count(n, "time"))
	gives(t, runPump(t.Actor, ctx, p, func(*Item) {}), context.Canceled, "ctx.Err()", "Run whose context ended while nothing was pending")
	over(t, p)
}

// suddenlyPending ends the ctx of a Run with values pending at the nth time that it is asked, in a pump that is closed or is not.
func suddenlyPending(t *conform.T, s Subject, n int, closed bool) {
	const pending = 3
	p := pump(t, s)
	addAll(t, p, 0, pending)
	if closed {
		t.Do(p.Close, "p.Close()")
	}
	inner, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx := &sudden{Context: inner, end: cancel}
	ctx.left.Store(int32(n))
	time.AfterFunc(time.Second, cancel)
	t.Note("ctx ends right after Run, which finds %d values pending, has asked it %s", pending, conform.Count(n, "time"))
	handled := 0
	err := runPump(t.Actor, ctx, p, recorded(t.Actor, func(*Item) { handled++ }))
	if !closed || handled < pending || err != nil {
		gives(t, err, context.Canceled, "ctx.Err()", fmt.Sprintf("Run, whose ctx ended and which has handled %d of %d values and thrown away the rest,", handled, pending))
	}
	over(t, p)
}

// leavesNothing lets a Run return whose ctx goes on.
func leavesNothing(t *conform.T, s Subject) {
	ctx := conform.NewRegistry(context.Background())
	p := pump(t, s)
	var err error
	handled := 0
	addAll(t, p, 0, 1)
	t.Go("runner", func(a *conform.Actor) {
		err = runPump(a, ctx, p, recorded(a, func(*Item) { handled++ }))
	})
	t.Wait()
	t.Do(p.Close, "p.Close()")
	t.Join()
	t.Wait()
	finished(t, err)
	t.Require(handled == 1, "One value was added, and the handler got %d.", handled)
	isLeft(t, ctx, "Run has returned")
}

// panicLeavesNothing has handle panic in a Run whose ctx goes on: with the last value, when Run has waited for it.
func panicLeavesNothing(t *conform.T, s Subject) {
	ctx := conform.NewRegistry(context.Background())
	p := pump(t, s)
	t.Go("runner", func(a *conform.Actor) {
		defer func() { _ = recover() }()
		_ = runPump(a, ctx, p, func(*Item) {
			a.Note("handle panics")
			panic(errMap)
		})
	})
	t.Wait()
	addAll(t, p, 0, 1)
	t.Join()
	t.Wait()
	isLeft(t, ctx, "A panic of handle has left Run")
}

// refusedLeavesNothing calls Run of a pump whose Run waits, and again when that has returned, with a ctx that goes on.
func refusedLeavesNothing(t *conform.T, s Subject) {
	p := pump(t, s)
	var err error
	t.Go("runner", func(a *conform.Actor) { err = runPump(a, t.Context(), p, func(*Item) {}) })
	t.Wait()
	refused := func(when string) {
		ctx := conform.NewRegistry(context.Background())
		gives(t, runPump(t.Actor, ctx, p, func(*Item) {}), s.ErrStarted, "ErrStarted", "A Run "+when)
		t.Wait()
		isLeft(t, ctx, "Run has returned ErrStarted")
	}
	refused("beside another")
	t.Do(p.Close, "p.Close()")
	t.Join()
	finished(t, err)
	refused("after the end of another")
}

// isLeft requires that nothing waits for the end of ctx any longer.
func isLeft(t *conform.T, ctx *conform.Registry, over string) {
	n := ctx.Waiting()
	t.Require(n == 0, "%s and its ctx goes on, and %s of the pump still waits there for the end of ctx: a context.AfterFunc that was not stopped, or a context that was not cancelled.", over, conform.Count(n, "function"))
}

// endsFirst ends the ctx of a Run that waits, and then adds a value at once: Run may not have woken by then.
func endsFirst(t *conform.T, s Subject) {
	p := pump(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var err error
	handled := 0
	t.Go("runner", func(*conform.Actor) { err = p.Run(ctx, func(*Item) { handled++ }) })
	t.Wait()
	cancel() // neither call is written into the history: Run would wake meanwhile
	p.Add(&Item{})
	t.Join()
	t.Note("Run waited for a value, its ctx was cancelled, and right after that p.Add was called")
	gives(t, err, context.Canceled, "ctx.Err()", "Run whose context ended while nothing was pending")
	t.Require(handled == 0, "The ctx of Run ended, and then a value was added. The handler got it: a ctx that is done wins against a value that is pending.")
	over(t, p)
}

// waking is a context that ends in its next Done once it is armed, and calls add then. A Run that asks for Done
// when it goes to sleep finds both, a channel that is closed and a bell that rings.
type waking struct {
	context.Context
	end   context.CancelFunc
	add   func()
	asked atomic.Int32
	armed atomic.Bool
}

// Done gives add time to act before its caller goes on. Run may hold the lock that add needs.
func (c *waking) Done() <-chan struct{} {
	c.asked.Add(1)
	if c.armed.CompareAndSwap(true, false) {
		c.end()
		go c.add()
		for range 200 {
			runtime.Gosched()
		}
	}
	return c.Context.Done()
}

// endsAndWakes ends the ctx of a Run that has handled one value and goes to sleep, and adds another right after that.
// A Run that asks for Done on its way from the sleep to the value may do so between its check of ctx
// and the take: there it is as right to handle the value, and ctx is not armed.
func endsAndWakes(t *conform.T, s Subject) {
	p := pump(t, s)
	inner, cancel := context.WithCancel(t.Context())
	defer cancel()
	ctx := &waking{Context: inner, end: cancel, add: func() { p.Add(&Item{ID: 1}) }}
	var err error
	var asleep int32
	handled := 0
	t.Go("runner", func(*conform.Actor) {
		err = p.Run(ctx, func(*Item) {
			handled++
			ctx.armed.Store(handled == 1 && ctx.asked.Load() == asleep)
		})
	})
	t.Wait()
	asleep = ctx.asked.Load()
	p.Add(&Item{})
	t.Wait()
	missed := handled == 0
	cancel()
	t.Join()
	t.Require(!missed, "Run waited, and a value was added. When all was at rest, handle had not been called: Run slept on although the value was pending, and an Add wakes it at once.")
	t.Note("Run handled one value and asked for ctx.Done(); meanwhile ctx was cancelled, and right after that p.Add was called")
	gives(t, err, context.Canceled, "ctx.Err()", "Run whose context ended while nothing was pending")
	t.Require(handled == 1, "The ctx of Run ended as Run was about to sleep, and then a value was added. handle was called %d times, and once is right: a ctx that is done wins against a value that is pending.", handled)
	over(t, p)
}

// expires has the deadline of ctx pass while handle works, with values pending.
func expires(t *conform.T, s Subject) {
	const each, within = 400 * time.Millisecond, 3
	p := pump(t, s)
	addAll(t, p, 0, 6)
	ctx, cancel := context.WithTimeoutCause(t.Context(), within*each-each/2, errCause)
	defer cancel()
	t.Ends(ctx)
	handled := 0
	err := runPump(t.Actor, ctx, p, recorded(t.Actor, func(*Item) {
		time.Sleep(each)
		handled++
	}))
	t.Require(handled == within, "The deadline of ctx passed in the call of handle number %d, with values pending, and handle was called %d times.", within, handled)
	gives(t, err, context.DeadlineExceeded, "ctx.Err()", "Run whose deadline passed with values pending")
	over(t, p)
}

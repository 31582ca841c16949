package backpressuretest

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// cancelled ends the ctx of Run when so many values were handled, with others pending, in a pump that is closed or is not.
func cancelled(t *conform.T, s Subject, after int, closed bool) {
	ctx, cancel := context.WithCancelCause(t.Context())
	p := pump(t, s)
	addAll(t, p, 1, 11)
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
	gives(t, err, context.Canceled, "ctx.Err()", "Run whose context was cancelled with values pending")
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

// lasting is a context that does not end, and knows how many wait for its end with
// context.AfterFunc or a context of their own.
type lasting struct {
	context.Context
	done    chan struct{}
	waiting atomic.Int32
}

// Done is a channel that is never closed: a goroutine that waits for it is a leak.
func (c *lasting) Done() <-chan struct{} { return c.done }

// AfterFunc is what package context calls.
func (c *lasting) AfterFunc(func()) (stop func() bool) {
	c.waiting.Add(1)
	var once sync.Once
	return func() (stopped bool) {
		once.Do(func() {
			c.waiting.Add(-1)
			stopped = true
		})
		return stopped
	}
}

// leavesNothing lets a Run return whose ctx goes on.
func leavesNothing(t *conform.T, s Subject) {
	ctx := &lasting{Context: context.Background(), done: make(chan struct{})}
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
	t.Require(ctx.waiting.Load() == 0, "Run has returned and its ctx goes on, and %s of the pump still waits there for the end of ctx: a context.AfterFunc that was not stopped, or a context that was not cancelled.", conform.Count(int(ctx.waiting.Load()), "function"))
}

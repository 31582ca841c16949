package backpressuretest

import (
	"context"
	"runtime"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// refilled has a handler add one value in each of its first calls, with so many pending when Run begins: in a buffer that is
// just full, the new value takes the place that the value in the handler's hands has left.
func refilled(t *conform.T, s Subject, pending int) {
	const calls = 3
	p := pump(t, s)
	call := t.Call("Add × %d, then Run, whose handler adds one value in each of its first %d calls", pending, calls)
	for i := range pending {
		p.Add(&Item{ID: i})
	}
	var got []int
	err := p.Run(t.Context(), func(v *Item) {
		if got = append(got, idOf(v)); len(got) <= calls {
			p.Add(&Item{ID: pending + len(got) - 1})
		}
		if len(got) == calls {
			p.Close()
		}
	})
	call.Returned("%v", err)
	finished(t, err)
	for i, v := range got {
		t.Require(v == i, "%d values were pending when Run began, and the handler added one in each of its first %d calls. Its call number %d got %s, and value %d was next.", pending, calls, i+1, nameOf(v), i)
	}
	t.Require(len(got) == pending+calls, "%d values were added, and the handler got %d.", pending+calls, len(got))
}

// refilledAtEachSize does so with each small number pending, and with those at which larger buffers are full.
func refilledAtEachSize(t *conform.T, s Subject) {
	for n := 3; n <= 70; n++ {
		refilled(t, s, n)
	}
	for _, n := range []int{80, 100, 128, 160, 200, 256, 320, 512, 1024, 2048} {
		refilled(t, s, n)
	}
}

// forgetsAllAlong has n values pending, and looks at those that were handled when half of them were. Then so many more come, in
// a pump that is not closed, that a buffer which was full goes around its end and grows. It looks again with a few left, when a large buffer
// has shrunk, and with the last value.
func forgetsAllAlong(t *conform.T, s Subject, n int, closed bool) {
	p := pump(t, s)
	items := fill(t, p, n)
	how := "and no others have come"
	if closed {
		t.Do(p.Close, "p.Close()")
		how = "and the pump is closed"
	}
	var more []weak.Pointer[Item]
	const few = 10
	atHalf, atFew, atLast, handled := 0, 0, 0, 0
	err := runPump(t.Actor, t.Context(), p, func(*Item) {
		handled++
		if handled == n/2 {
			atHalf = probe.Alive(items[:n/2-1])
			if !closed {
				more = fill(t, p, n/2+1)
			}
		}
		switch left := n + len(more) - handled; {
		case handled <= n/2:
		case left == few:
			atFew = probe.Alive(append(items[:n:n], more...)[:handled-1])
		case left == 0:
			atLast = probe.Alive(append(items[:n:n], more...)[:handled-1])
			p.Close()
		}
	})
	finished(t, err)
	t.Require(atHalf == 0, "%d values were added, %d of them have been handled, %s. The pump keeps %d of those that have been handled in memory.", n, n/2-1, how, atHalf)
	t.Require(handled == n+len(more), "%d values were added, and the handler got %d.", n+len(more), handled)
	t.Require(atFew == 0, "%d values were added, and %d more when half of them had been handled. Now %d are pending, and the pump keeps %d of the others in memory, which have all been handled.", n, len(more), few, atFew)
	t.Require(atLast == 0, "%d values were added, and %d more when half of them had been handled. The handler works on the last one, and the pump keeps %d of the others in memory, which have all been handled.", n, len(more), atLast)
	runtime.KeepAlive(p)
}

// cancelledWithMany ends the ctx of Run in one call of handle, with a great many values pending or after many calls.
func cancelledWithMany(t *conform.T, s Subject, n, after int, closed bool) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := pump(t, s)
	call := t.Call("p.Add, %d times", n)
	for i := range n {
		p.Add(&Item{ID: i})
	}
	call.Returned("")
	if closed {
		t.Do(p.Close, "p.Close()")
	}
	t.Note("p.Run(ctx, handle), whose call number %d calls cancel()", after)
	handled := 0
	err := p.Run(ctx, func(*Item) {
		if handled++; handled == after {
			cancel()
		}
	})
	t.Require(handled == after, "%d values were added, and the context was cancelled in call number %d of handle. handle was called %d times: when ctx is done, Run makes no further call.", n, after, handled)
	gives(t, err, context.Canceled, "ctx.Err()", "Run whose context was cancelled with values pending")
	over(t, p)
}

// lateAfterMany has a great many values sent and received, and then some sent with a context that has ended.
func lateAfterMany(t *conform.T, s Subject, p Policy) {
	const many, late = 3001, 3
	b := bounded(t, s, 2, p)
	call := t.Call("b.Send(ctx, v) and <-b.Out() in turn, %d times", many)
	for i := range many {
		if err := b.Send(t.Context(), i); err != nil {
			call.Returned("")
			t.Fatalf("Under %v the buffer was empty, and Send number %d returned %s: it should have accepted the value.", p, i+1, conform.Said(err))
		}
		<-b.Out()
	}
	call.Returned("")
	ended, cancel := context.WithCancelCause(t.Context())
	cancel(errCause)
	for i := range late {
		err := conform.Do(t.Actor, func() error { return b.Send(ended, i) }, "b.Send(ctx that has ended, %d)", i)
		t.Require(err == context.Canceled, "%d values had gone through a buffer under %v, which was empty. Then Send was called with a ctx that was done before the call, and returned %s: it should have returned ctx.Err().", many, p, conform.Said(err))
	}
	t.Do(b.Close, "b.Close()")
	sequence(t, "What is received when all values came with a context that had ended", rest(t, b), nil)
}

package backpressuretest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// triedByMany has four senders call TrySend as fast as they can, and one receiver.
func triedByMany(t *conform.T, s Subject) {
	const tries = 200
	ch := make(chan int, 1)
	var sent atomic.Int32
	var senders sync.WaitGroup
	for range 4 {
		senders.Go(func() {
			for i := range tries {
				if s.TrySend(ch, i) {
					sent.Add(1)
				}
			}
		})
	}
	received := make(chan int)
	go func() {
		n := 0
		for range ch {
			n++
		}
		received <- n
	}()
	call := t.Call("TrySend(ch, v), %d times by each of 4 senders", tries)
	senders.Wait()
	call.Returned("%d were true", sent.Load())
	close(ch)
	t.Require(sent.Load() > 0, "The buffer was empty at first, and of %d calls of TrySend not one returned true.", 4*tries)
	got := <-received
	t.Require(got == int(sent.Load()), "TrySend reported %d sends, and %d values were received.", sent.Load(), got)
}

// lastRoom has two goroutines call TrySend at the same moment, with room for one value. Nobody receives.
func lastRoom(t *conform.T, s Subject) {
	call := t.Call("TrySend by two goroutines at once, on a channel with room for one value, on %d channels in turn", moments)
	for range moments {
		ch := make(chan int, 1)
		var sent [2]bool
		probe.AtOnce(
			func() { sent[0] = s.TrySend(ch, 0) },
			func() { sent[1] = s.TrySend(ch, 1) },
		)
		if sent[0] == sent[1] {
			call.Returned("")
			t.Fatalf("Two goroutines called TrySend at once on a channel with room for one value, and nobody received. Both calls returned %v: one should have sent.", sent[0])
		}
	}
	call.Returned("")
}

// countedMeanwhile reads Dropped while three senders fill a buffer that nobody receives from.
// No history is kept meanwhile: it would order those who call, and hide a race between them.
func countedMeanwhile(t *conform.T, s Subject, p Policy) {
	const senders, each = 3, 30
	b := bounded(t, s, 1, p)
	t.Note("%d senders send %d values each, and nobody receives; Dropped is read meanwhile", senders, each)
	var all sync.WaitGroup
	for range senders {
		all.Go(func() {
			for i := range each {
				_ = b.Send(t.Context(), i)
			}
		})
	}
	all.Go(func() {
		last := 0
		for range senders * each {
			n := b.Dropped()
			if !t.Assert(n >= last, "Dropped said %d and then %d: what was dropped stays dropped.", last, n) {
				return
			}
			last = n
		}
	})
	all.Wait()
	hasDropped(t, b, senders*each-1)
	t.Do(b.Close, "b.Close()")
}

// roomForBoth has two goroutines call Send at the same moment, again and again, with room for all that they send: the policy has nothing to decide.
func roomForBoth(t *conform.T, s Subject, p Policy) {
	b := bounded(t, s, 2*moments, p)
	t.Note("two goroutines call b.Send at once, %d times, with room for all of these values; nobody receives", moments)
	for range moments {
		var errs [2]error
		probe.AtOnce(
			func() { errs[0] = b.Send(t.Context(), 0) },
			func() { errs[1] = b.Send(t.Context(), 1) },
		)
		for _, err := range errs {
			t.Require(err == nil, "Two goroutines called Send at once under %v, the buffer had room for both, and one Send returned %s: the policy decides what happens when the buffer is full, and it was not.", p, conform.Said(err))
		}
	}
	n := conform.Do(t.Actor, b.Dropped, "b.Dropped()")
	t.Require(n == 0, "Under %v %d values were sent to a buffer with room for as many, and Dropped says %d: the policy decides what happens when the buffer is full, and it was not.", p, 2*moments, n)
}

// firstCloses has two goroutines call Send at the same moment on a buffer with room for one value, and close it afterwards. Nobody
// receives: the Send that comes too late for the room waits until the other goroutine closes the buffer.
func firstCloses(t *conform.T, s Subject) {
	call := t.Call("two goroutines call Send at once, and then Close, on %d buffers with room for one value in turn", moments)
	for range moments {
		b := s.NewBounded(1, Block)
		var errs [2]error
		one := func(i int) func() {
			return func() {
				errs[i] = b.Send(t.Context(), i)
				b.Close()
			}
		}
		probe.AtOnce(one(0), one(1))
		if errs[0] != nil {
			errs[0], errs[1] = errs[1], errs[0]
		}
		if errs[0] != nil || errs[1] != s.ErrClosed {
			call.Returned("")
			t.Fatalf("Two goroutines called Send at once on a buffer with room for one value, and the first that returned closed it. One Send returned %s, and the other %s: one should have returned nil, and the other ErrClosed.", conform.Said(errs[0]), conform.Said(errs[1]))
		}
	}
	call.Returned("")
}

// closesMeetASend has two goroutines close a full buffer while a third is about to wait for room.
func closesMeetASend(t *conform.T, s Subject) {
	t.Note("two goroutines call Close and one calls Send, all at once, on %d full buffers in turn", moments)
	for range moments {
		b := s.NewBounded(1, Block)
		_ = b.Send(t.Context(), 0)
		var err error
		probe.AtOnce(b.Close, b.Close, func() { err = b.Send(t.Context(), 1) })
		t.Require(err == s.ErrClosed, "Close met a Send for which there was no room, and Send returned %s: it should have returned ErrClosed.", conform.Said(err))
		v, open := <-b.Out()
		t.Require(open && v == 0, "0 was accepted before Close met a Send for which there was no room, and it is not received.")
		v, open = <-b.Out()
		t.Require(!open, "All that was accepted before Close met a Send has been received, and then %d was.", v)
	}
}

// overtaken has two receivers take what a Send under DropOldest is about to drop: the buffer is
// empty then, and Send has to notice.
func overtaken(t *conform.T, s Subject) {
	const each = 5 * moments // the rarest: a receiver has to come between two steps of Send
	b := bounded(t, s, 1, DropOldest)
	call := t.Call("b.Send: 2 senders send %d values each, and 2 receivers take them", each)
	var sending, receiving sync.WaitGroup
	for range 2 {
		sending.Go(func() {
			for i := range each {
				_ = b.Send(t.Context(), i)
			}
		})
		receiving.Go(func() {
			for range b.Out() {
			}
		})
	}
	sending.Wait()
	call.Returned("")
	t.Do(b.Close, "b.Close()")
	receiving.Wait()
}

// behindAnother has a Send wait for room behind another, whose context does not end.
func behindAnother(t *conform.T, s Subject) {
	b := bounded(t, s, 1, Block)
	put(t, b, 0)
	t.Go("first in line", func(a *conform.Actor) { _ = send(a, t.Context(), b, 1) })
	t.Wait()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errCause)
	defer cancel()
	t.Ends(ctx)
	began := t.Elapsed()
	gives(t, send(t.Actor, ctx, b, 2), context.DeadlineExceeded, "ctx.Err()", "A Send that waited for room behind another, and whose deadline passed,")
	t.Require(t.Elapsed() == began+time.Second, "The context of a Send that waited behind another ended after 1s, and it returned after %v.", t.Elapsed()-began)
	t.Do(b.Close, "b.Close()")
	t.Join()
	sequence(t, "What is received when one Send has returned ctx.Err() and the other was waiting when the buffer was closed", rest(t, b), upTo(1))
}

// nothingCame receives the only value of a buffer: the room is for nobody, since every Send has returned.
func nothingCame(t *conform.T, b Bounded) {
	v := conform.Do(t.Actor, func() int { return <-b.Out() }, "<-b.Out()")
	t.Require(v == 0, "Only 0 was accepted, and %d was received.", v)
	t.Wait()
	select {
	case v := <-b.Out():
		t.Fatalf("Send returned ctx.Err() for %d. Later there was room, and it was received: a value that was not accepted is never received.", v)
	default:
	}
}

// roomAfterTheWait sends to a buffer that is empty, after Sends that have waited until their ctx ended.
func roomAfterTheWait(t *conform.T, b Bounded) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	t.Ends(ctx)
	began := t.Elapsed()
	err := send(t.Actor, ctx, b, 3)
	t.Require(err == nil && t.Elapsed() == began, "Two Sends waited for room and returned ctx.Err() when their ctx ended. Later there was room, and Send returned %s after %v: it should have accepted its value at once. A Send that gives up has to give back what it holds.", conform.Said(err), t.Elapsed()-began)
}

// closedAfterTheWait closes a buffer with one value, after Sends that have waited until their ctx ended. Out is closed a moment later at the latest.
func closedAfterTheWait(t *conform.T, b Bounded) {
	t.Do(b.Close, "b.Close()")
	var got []int
	for {
		late := time.NewTimer(time.Hour)
		select {
		case v, open := <-b.Out():
			late.Stop()
			if open {
				got = append(got, v)
				continue
			}
			t.Note("b.Out() is closed")
			sequence(t, "What is received when two Sends have returned an error and the next one nil", got, []int{3})
			return
		case <-late.C:
			t.Fatalf("Out was not closed within an hour after Close, although everything that was accepted had been received. Before that two Sends had waited for room and returned ctx.Err(): perhaps they still count as waiting.")
		}
	}
}

// crowd has many Sends wait for room at once: as many as come, until their ctx ends.
func crowd(t *conform.T, s Subject) {
	const senders = 200
	b := bounded(t, s, 1, Block)
	put(t, b, 0)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	t.Ends(ctx)
	began := t.Elapsed()
	t.Note("%d goroutines call b.Send(ctx, v) of a full buffer, with a ctx that ends in 1s", senders)
	for i := range senders {
		t.Go("sender", func(*conform.Actor) {
			err := b.Send(ctx, 1+i)
			took := t.Elapsed() - began
			t.Assert(err == context.DeadlineExceeded, "One of %d Sends that waited for room under Block returned %s after %v: it should have returned ctx.Err() when its ctx ended, after 1s.", senders, conform.Said(err), took)
		})
	}
	t.Join()
	t.Do(b.Close, "b.Close()")
	sequence(t, "What is received when every waiting Send has returned ctx.Err()", rest(t, b), upTo(1))
}

// endedWithRoom makes room for a Send that waits, and ends its context before it has returned, in this order or
// the other. It may return either, nil or ctx.Err(), and then its value is received or is not.
func endedWithRoom(t *conform.T, s Subject, roomFirst bool) {
	b := bounded(t, s, 1, Block)
	put(t, b, 0)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var err error
	t.Go("sender", func(a *conform.Actor) { err = send(a, ctx, b, 1) })
	t.Wait()
	steps, how := []func(){func() { <-b.Out() }, cancel}, "one value was received while a Send waited, and its ctx was cancelled right after that"
	if !roomFirst {
		slices.Reverse(steps)
		how = "the ctx of a Send that waited was cancelled, and one value was received right after that"
	}
	for _, step := range steps {
		step() // nothing is written into the history now: it would take time
	}
	t.Join()
	t.Note("%s", how)
	t.Do(b.Close, "b.Close()")
	kept := []int{1}
	if err != nil {
		gives(t, err, context.Canceled, "ctx.Err()", "A waiting Send whose context was cancelled")
		kept = nil
	}
	sequence(t, fmt.Sprintf("What is received when Send(ctx, 1) returned %s", conform.Said(err)), rest(t, b), kept)
}

// roomAfterClose receives at once when Close has returned. The room that this makes is for nobody.
func roomAfterClose(t *conform.T, s Subject) {
	const capacity = 4
	b := bounded(t, s, capacity, Block)
	put(t, b, upTo(capacity)...)
	for i := range 4 {
		t.Go("sender", func(a *conform.Actor) {
			err := send(a, t.Context(), b, capacity+i)
			t.Assert(err == s.ErrClosed, "A Send was waiting for room when the buffer was closed. There was room later, and Send returned %s: it should have returned ErrClosed.", conform.Said(err))
		})
	}
	t.Wait()
	t.Do(b.Close, "b.Close()")
	sequence(t, "What is received after Close", rest(t, b), upTo(capacity))
	t.Join()
}

// endedMeanwhile closes a pump, or ends the ctx of its Run, while two goroutines add values. They share the pump alone, which has to order them.
func endedMeanwhile(t *conform.T, s Subject, closed bool) {
	const before, most = 10, 3000
	p := pump(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	end, how := cancel, "ctx ends"
	if closed {
		end, how = p.Close, "the pump is closed"
	}
	t.Note("2 goroutines add up to 3000 values, until Add returns false; %s when %d values were handled", how, before)
	var adding, running sync.WaitGroup
	for range 2 {
		adding.Go(func() {
			for i := 0; i < most && p.Add(&Item{}); i++ {
				runtime.Gosched()
			}
		})
	}
	running.Go(func() {
		handled := 0
		_ = p.Run(ctx, func(*Item) {
			if handled++; handled == before {
				end()
				for range 200 { // Add is called meanwhile: nothing orders it and what Run does next
					runtime.Gosched()
				}
			}
		})
	})
	adding.Wait()
	running.Wait()
	n := conform.Do(t.Actor, p.Len, "p.Len()")
	t.Require(n == 0, "Two goroutines called Add while Run ended. All have returned, so the pump has stopped, and Len is %d: a pump that has stopped is empty. Perhaps an Add that began before Run ended has put its value into the pump, or set its length, after the stop. Or the stop did not set the length to 0.", n)
	over(t, p)
}

package backpressuretest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
)

var hidden = slices.Concat(bounding, pumping, remembering)

// bounding is the part of the suite about TrySend and Bounded.
var bounding = []conform.Case[Subject]{
	{
		Name:   "try-under-pressure",
		Points: 3,
		Func:   "TrySend",
		Rule:   "However many goroutines try at once, none of them waits, and what they report is what was sent.",
		Why:    "Between a check and the action that follows, another goroutine may act: most races begin like that.",
		Hint: []string{
			"Do you check len(ch) first? What can happen between the check and the send?",
			"select with a default checks and sends in one step.",
		},
		Contract: []string{
			"TrySend sends v on ch if that is possible without waiting: ch has room in its buffer, or a receiver is waiting.",
			"It reports whether v was sent. It never blocks",
		},
		Source: "The Go Programming Language Specification, Select statements",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) { triedByMany(t, open()) })
			lastRoom(t, open())
		},
	},
	{
		Name:   "block-honours-context",
		Points: 3,
		Func:   "Bounded.Send",
		Rule:   "A Send that waits for room returns ctx.Err() when its ctx ends, and its value is not received.",
		Why:    "A cancelled request must not occupy a sender for as long as the receiver is stuck.",
		Hint: []string{
			"Where does Send wait, and what does it listen to there?",
			"A select with the send and with ctx.Done().",
		},
		Contract: []string{
			"Block makes Send wait until there is room, its ctx ends or the buffer is closed.",
			"ctx.Err() if ctx is done, and in these three cases v is never received",
			"It returns nil if the buffer has accepted v. Then v is received once",
			"A value that was not accepted because of ctx or Close was not dropped by the policy",
			"Accepted values can still be received; then Out is closed.",
		},
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation: cancelling unblocks blocked senders and receivers",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			b := bounded(t, open(), 1, Block)
			put(t, b, 0)

			cancelled, cancel := context.WithCancelCause(t.Context())
			canceller := t.Named("canceller")
			time.AfterFunc(time.Second, func() { canceller.Do(func() { cancel(errCause) }, "cancel()") })
			err := send(t.Actor, cancelled, b, 1)
			t.Require(err != nil || t.Elapsed() > 0, "A buffer with room for 1 value had one, and another Send returned nil at once: it should have waited for room.")
			gives(t, err, context.Canceled, "ctx.Err()", "A waiting Send whose context was cancelled")
			t.Require(t.Elapsed() <= time.Second, "The context of a waiting Send was cancelled after 1s, and Send returned only after %v.", t.Elapsed())

			late, end := context.WithTimeoutCause(t.Context(), time.Second, errCause)
			defer end()
			t.Ends(late)
			gives(t, send(t.Actor, late, b, 2), context.DeadlineExceeded, "ctx.Err()", "A waiting Send whose deadline passed")

			hasDropped(t, b, 0) // what was given up, the policy has not dropped
			nothingCame(t, b)
			roomAfterTheWait(t, b)
			closedAfterTheWait(t, b)
			behindAnother(t, open())
			crowd(t, open())
			for range 30 {
				endedWithRoom(t, open(), true)
				endedWithRoom(t, open(), false)
			}
		},
	},
	{
		Name:   "done-context-wins",
		Points: 3,
		Func:   "Bounded.Send",
		Rule:   "With a ctx that is done before the call, Send returns ctx.Err() and accepts nothing, under every policy.",
		Why:    "A controller that has lost its lease must not put one more write into the queue.",
		Hint: []string{
			"There is room, and ctx is done: which case does a select take?",
			"Either, at random. Check ctx.Err() first, under every policy.",
		},
		Contract: []string{
			"If ctx is done before the call, Send returns ctx.Err(), whether or not there is room, under every policy.",
			"and ctx.Err() if ctx is done",
			"If the buffer is closed and ctx is done, either error may be returned.",
			"A Send that begins after Close, or with a ctx that is done, takes nothing out of the buffer. Errors are returned as they are, not wrapped.",
			"A value that was not accepted because of ctx or Close was not dropped by the policy",
		},
		Source: "The Go Programming Language Specification, Select statements: uniform pseudo-random selection",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) { tooLateAnyway(t, open()) })
			for _, p := range allPolicies {
				lateAfterMany(t, open(), p)
			}
		},
	},
	{
		Name:   "close-wakes-senders",
		Points: 4,
		Func:   "Bounded.Close",
		Rule:   "Close wakes every Send that waits for room: each returns ErrClosed. Close waits for no receiver.",
		Why:    "Producers that sleep through a shutdown are leaked goroutines, and the process does not end.",
		Hint: []string{
			"Five senders wait in a send on the channel. What happens to them if you close it?",
			"Close a second channel first, one that every waiting Send listens to.",
			"Close the channel of values only when the last sender has left: count them in and out.",
		},
		Contract: []string{"Every waiting Send returns ErrClosed, and so does every later one.", "Close waits for no receiver."},
		Source:   "kubernetes#108080, send on a closed channel",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			b := bounded(t, s, 2, Block)
			put(t, b, 0, 1)
			contexts := []context.Context{t.Context(), context.Background()} // one that may end, and one that cannot
			for i := range 6 {
				t.Go("sender", func(a *conform.Actor) {
					err := send(a, contexts[i%2], b, 2+i)
					t.Assert(err == s.ErrClosed, "A Send was waiting for room when the buffer was closed, and returned %s: it should have returned ErrClosed.", conform.Said(err))
				})
			}
			t.Wait()
			t.Do(b.Close, "b.Close()")
			t.Join()
			sequence(t, "What is received after Close", rest(t, b), upTo(2))
			for range 20 {
				roomAfterClose(t, s)
			}
		},
	},
	{
		Name:   "nothing-lost-nothing-twice",
		Points: 4,
		Func:   "Bounded.Send",
		Rule:   "With many senders and receivers, what was accepted is received once or counted as dropped, in the order of its sender.",
		Why:    "A drop counter that is wrong is worse than none: it is what shows the operator that the buffer is too small.",
		Hint: []string{
			"Look for a counter that two Sends raise without a lock.",
			"Under DropOldest, who counts when one Send takes a value out and a receiver is faster?",
		},
		Contract: []string{
			"Then v is received once, unless DropOldest drops it later.",
			"Values of one sender are received in the order in which it sent them.",
			"All its methods may be called from any goroutine at any time",
			"Dropped is the number of values that the policy has dropped",
			"The policy decides what happens when the buffer is full",
			"DropNewest drops v only if the buffer is full at that moment.",
		},
		Source: "the contract of this lab",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				s := open()
				for _, p := range allPolicies {
					b := bounded(t, s, 1+t.Rand().IntN(3), p)
					traffic(t, s, b, p, func(*conform.Actor) {})
				}
				countedMeanwhile(t, s, DropNewest)
				countedMeanwhile(t, s, DropOldest)
			})
			roomForBoth(t, open(), DropNewest)
			roomForBoth(t, open(), DropOldest)
		},
	},
	{
		Name:   "close-while-others-send",
		Points: 4,
		Func:   "Bounded.Close",
		Rule:   "Close may come at any moment, from many goroutines: nothing panics, and what was accepted is still received or counted.",
		Why:    "A process is not stopped at a convenient moment.",
		Hint: []string{
			"A Send has just found the buffer open, and now Close runs. What does the Send do next?",
			"Count senders in under the lock under which Close sets its flag, and close the channel when the count is zero.",
			"sync.WaitGroup: Add under the lock before Close has set the flag, Wait after.",
		},
		Contract: []string{
			"All its methods may be called from any goroutine at any time",
			"Accepted values can still be received; then Out is closed.",
			"Block makes Send wait until there is room, its ctx ends or the buffer is closed.",
			"Every waiting Send returns ErrClosed, and so does every later one.",
		},
		Source: "kubernetes#108080, send on a closed channel; Go sync/waitgroup.go: WaitGroup.Add (calls that start when the counter is zero must happen before Wait)",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				s := open()
				for _, p := range allPolicies {
					for range 3 {
						b := bounded(t, s, 1+t.Rand().IntN(3), p)
						traffic(t, s, b, p, func(a *conform.Actor) { a.Do(b.Close, "b.Close()") })
					}
				}
			})
			s := open()
			closesMeetASend(t, s)
			overtaken(t, s)
			firstCloses(t, s)
		},
	},
	{
		Name:   "capacity-below-one",
		Points: 2,
		Func:   "NewBounded",
		Rule:   "A capacity below one counts as one.",
		Why:    "An option left at zero is the usual case; with no room at all, DropNewest would drop everything.",
		Hint: []string{
			"What is a channel with a buffer of 0? And what does make do with -1?",
		},
		Contract: []string{"A capacity below 1 counts as 1."},
		Source:   "the contract of this lab",
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, capacity := range []int{0, -1, -7} {
				roomForOne(t, s, capacity, DropNewest, s.ErrFull, "ErrFull", 0)
				roomForOne(t, s, capacity, DropOldest, nil, "nil", 1)
				roomForOne(t, s, capacity, Block, context.DeadlineExceeded, "ctx.Err(): it waits for room until its ctx ends", 0)
			}
		},
	},
	{
		Name:   "needs-no-close",
		Points: 2,
		Func:   "NewBounded",
		Look:   []string{"NewBounded", "Bounded.Send"},
		Rule:   "A buffer that is forgotten without Close leaves no goroutine behind, and no Send leaves anything at its ctx.",
		Why:    "A queue made in a constructor and never started has leaked its goroutines in a real controller.",
		Hint: []string{
			"Does a channel need a goroutine that serves it?",
		},
		Contract: []string{
			"Neither NewBounded nor Send leaves a goroutine behind, whatever was sent: a buffer that is forgotten without Close costs no more than its memory.",
			"Nor does Send leave a derived context or a context.AfterFunc at its ctx, however it returns: each may be a goroutine, too.",
			"It starts no goroutine: a pump that is never run costs no more than its memory.",
		},
		Source: "controller-runtime#649, a queue made in New leaked goroutines",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, p := range allPolicies {
				neglected(t, s, p)
				neglectedBeforeItsContext(t, s, p)
				closedBeforeItsContext(t, s, p)
			}
			add(t.Actor, pump(t, s), &Item{}) // and a pump that is never run
		},
	},
	{
		Name:   "bounded-like-its-model",
		Points: 3,
		Func:   "Bounded.Send",
		Look:   []string{"Bounded.Send", "Bounded.Dropped"},
		Rule:   "Any sequence of sends, receives and a close gives what a slice with a limit would give.",
		Why:    "The cases above are the ones that people think of.",
		Hint: []string{
			"Read the history from its end: it is the shortest sequence that goes wrong.",
		},
		Contract: []string{
			"NewBounded makes a buffer with room for capacity values.",
			"The policy decides what happens when the buffer is full",
			"under DropNewest and DropOldest Send never waits for a receiver",
			"It returns nil if the buffer has accepted v.",
			"DropOldest drops the value that has been in the buffer longest and takes the new one in.",
			"Dropped is the number of values that the policy has dropped",
		},
		Source: "the contract of this lab, against a naive model",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			model.Check(t, 60, func(rt *rapid.T, t *conform.T) { likeModel(rt, t, s) })
			large(t, s, DropNewest)
			large(t, s, DropOldest)
			oldNothings(t, s)
		},
	},
}

// tooLateAnyway sends with a context that was cancelled and with one whose deadline has passed, with room in the buffer and without.
func tooLateAnyway(t *conform.T, s Subject) {
	cancelled, cancel := context.WithCancelCause(t.Context())
	t.Do(func() { cancel(errCause) }, "cancel()")
	expired, end := context.WithDeadlineCause(t.Context(), time.Unix(1, 0), errCause)
	defer end()
	var wrong []string
	for _, p := range allPolicies {
		for _, capacity := range []int{4, 1} { // with room, and full
			wrong = append(wrong, tooLate(t, s, cancelled, capacity, p)...)
			wrong = append(wrong, tooLate(t, s, expired, capacity, p)...)
		}
	}
	t.Require(len(wrong) == 0, "Send was called three times under each policy, with a context that was cancelled before and with one whose deadline had passed, with room in the buffer and without, and should have returned ctx.Err(). It did not %s: %s.", conform.Count(len(wrong), "time"), conform.Listed(wrong))
}

// tooLate sends three values with a context that has ended, to a buffer that holds one, and
// returns which of the Sends returned something else than ctx.Err().
func tooLate(t *conform.T, s Subject, ctx context.Context, capacity int, p Policy) (wrong []string) {
	b := bounded(t, s, capacity, p)
	put(t, b, 0)
	for i := range 3 {
		call := t.Call("b.Send(ctx that has ended: %v, %d)", ctx.Err(), 1+i)
		err := b.Send(ctx, 1+i)
		call.Returned("%v", err)
		if err != ctx.Err() {
			wrong = append(wrong, fmt.Sprintf("%v, 1 of %d values, ctx.Err() is “%v”, call %d: %s", p, capacity, ctx.Err(), i+1, conform.Said(err)))
		}
	}
	if len(wrong) == 0 {
		dropped := conform.Do(t.Actor, b.Dropped, "b.Dropped()")
		t.Do(b.Close, "b.Close()")
		err := send(t.Actor, ctx, b, 4)
		t.Require(err == s.ErrClosed || err == ctx.Err(), "The buffer is closed and ctx is done, and Send returned %s: it should have returned either ErrClosed or ctx.Err(), as it is.", conform.Said(err))
		got := rest(t, b)
		untouched(t, fmt.Sprintf("Send, whose ctx was done before the call, returned ctx.Err(), under %v with room for %d", p, capacity), got, upTo(1))
		saysDropped(t, dropped, 0) // what came too late, the policy has not dropped
		sequence(t, "What is received when one value was accepted and three came with a context that had ended", got, upTo(1))
	}
	return wrong
}

// roomForOne sends two values to a buffer whose capacity is below 1, and requires what the second Send returns and which one is kept.
func roomForOne(t *conform.T, s Subject, capacity int, p Policy, want error, name string, kept int) {
	b := bounded(t, s, capacity, p)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	t.Ends(ctx)
	what := fmt.Sprintf("NewBounded was given the capacity %d, which counts as 1, and %v. ", capacity, p)
	gives(t, send(t.Actor, ctx, b, 0), nil, "nil", what+"Send to that buffer, which was empty,")
	gives(t, send(t.Actor, ctx, b, 1), want, name, what+"Send to that buffer, which had one value,")
	t.Do(b.Close, "b.Close()")
	sequence(t, "What is received after Close", rest(t, b), []int{kept})
}

// neglectedBeforeItsContext sends with a ctx that goes on when the Sends have returned: with room in the buffer, without, and
// under Block one that waits until there is room.
func neglectedBeforeItsContext(t *conform.T, s Subject, p Policy) {
	b := bounded(t, s, 2, p)
	ctx, _ := conform.Foreign(t.Context(), nil)
	t.Note("ctx now goes on: a context.AfterFunc or derived context left there is a goroutine")
	for i := range 2 {
		gives(t, send(t.Actor, ctx, b, i), nil, "nil", "Send to a buffer with room")
	}
	if p != Block {
		_ = send(t.Actor, ctx, b, 2)
		return
	}
	t.Go("sender", func(a *conform.Actor) { _ = send(a, ctx, b, 2) })
	t.Wait()
	t.Do(func() { <-b.Out() }, "<-b.Out()")
	t.Join()
}

// closedBeforeItsContext closes a buffer, with a Send that waits under Block, and sends once more. Each ctx goes on when the Sends
// have returned ErrClosed.
func closedBeforeItsContext(t *conform.T, s Subject, p Policy) {
	b := bounded(t, s, 1, p)
	ctx := conform.NewRegistry(context.Background())
	sends := func(a *conform.Actor, v int) {
		gives(t, send(a, ctx, b, v), s.ErrClosed, "ErrClosed", "Send to a buffer that was closed")
	}
	put(t, b, 0)
	if p == Block {
		t.Go("sender", func(a *conform.Actor) { sends(a, 1) })
		t.Wait()
	}
	t.Do(b.Close, "b.Close()")
	t.Join()
	sends(t.Actor, 2)
	sequence(t, "What is received after Close", rest(t, b), upTo(1))
	t.Wait()
	n := ctx.Waiting()
	t.Require(n == 0, "Every Send has returned, those after Close with ErrClosed, and their ctx goes on. %s still waits there for its end: a context.AfterFunc that was not stopped, or a derived context that was not cancelled.", conform.Count(n, "function"))
}

// neglected takes a buffer through what may happen to a Send, and forgets it.
func neglected(t *conform.T, s Subject, p Policy) {
	b := bounded(t, s, 2, p)
	receive := func(want int) {
		v := conform.Do(t.Actor, func() int { return <-b.Out() }, "<-b.Out()")
		t.Require(v == want, "%d was received, and the oldest value of the buffer was %d.", v, want)
	}
	put(t, b, 0, 1)
	receive(0)
	put(t, b, 2)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	t.Ends(ctx)
	for i := range 3 { // under Block the first waits until ctx ends, and the others come too late
		_ = send(t.Actor, ctx, b, 3+i)
	}
	if p == Block {
		t.Go("sender", func(a *conform.Actor) { _ = send(a, t.Context(), b, 6) })
		t.Wait()
		receive(1)
		t.Join()
	}
}

// large sends far more than fits into a large buffer, under a policy that drops, with a deadline that is
// far away: a Send that waits for it, or for room, is late.
func large(t *conform.T, s Subject, p Policy) {
	const capacity, more = 5000, 70_000
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	b, began := bounded(t, s, capacity, p), t.Elapsed()
	call := t.Call("b.Send(ctx, 0) to b.Send(ctx, %d)", capacity+more-1)
	for i := range capacity + more {
		want, name := error(nil), "nil"
		if i >= capacity && p == DropNewest {
			want, name = s.ErrFull, "ErrFull"
		}
		err, took := b.Send(ctx, i), t.Elapsed()-began
		if took == 0 && err == want {
			continue
		}
		call.Returned("")
		t.Require(took == 0, "Under %v Send never waits for a receiver, and Send number %d to a buffer with room for %d, with a ctx that ends in an hour, has taken %v.", p, i+1, capacity, took)
		gives(t, err, want, name, fmt.Sprintf("Send number %d to a buffer with room for %d, from which nobody receives, under %v,", i+1, capacity, p))
	}
	call.Returned("")
	hasDropped(t, b, more)
	t.Do(b.Close, "b.Close()")
	kept := upTo(capacity)
	if p == DropOldest {
		kept = between(more, capacity+more)
	}
	sequence(t, fmt.Sprintf("What %v with room for %d keeps of %d values", p, capacity, capacity+more), rest(t, b), kept)
}

// oldNothings sends nil where nil is a value like any other.
func oldNothings(t *conform.T, s Subject) {
	b := s.NewBoundedErrors(2, DropOldest)
	t.Note("NewBounded[error](2, DropOldest)")
	for range 5 {
		err := conform.Do(t.Actor, func() error { return b.Send(t.Context(), nil) }, "b.Send(ctx, nil)")
		t.Require(err == nil, "Under DropOldest every value is accepted, and Send returned %s.", conform.Said(err))
	}
	n := conform.Do(t.Actor, b.Dropped, "b.Dropped()")
	t.Require(n == 3, "nil was sent 5 times to a Bounded[error] with room for 2, and Dropped says %d: the policy has dropped 3 values.", n)
	t.Do(b.Close, "b.Close()")
	kept := 0
	for v := range b.Out() {
		t.Require(v == nil, "nil was sent to a Bounded[error], and %s was received.", conform.Said(v))
		kept++
	}
	t.Require(kept == 2, "nil was sent 5 times to a Bounded[error] with room for 2, and %d were received.", kept)
}

// traffic has three senders and two receivers at work on b, calls closing while they
// are, and adds up what became of every value. Each goroutine counts for itself: a
// counter that they shared would order them, and hide a race of the subject.
func traffic(t *conform.T, s Subject, b Bounded, p Policy, closing func(a *conform.Actor)) {
	const senders, each = 3, 30
	var sending, receiving, closers sync.WaitGroup
	sent, received := make([]tally, senders), make([]map[int]int, 2)
	now, moment := make(chan struct{}), t.Rand().IntN(each)
	for from := range sent {
		sending.Go(func() {
			a := t.Named("sender %d", from)
			for i := range each {
				if from == 0 && i == moment {
					close(now)
				}
				sent[from].count(t, s, send(a, t.Context(), b, from*each+i))
			}
		})
	}
	for i := range received {
		received[i] = map[int]int{}
		receiving.Go(func() { collect(t, b, each, received[i]) })
	}
	for range 2 {
		closers.Go(func() {
			<-now
			closing(t.Named("closer"))
		})
	}
	t.Note("senders and receivers are at work")
	sending.Wait()
	closers.Wait()
	t.Do(b.Close, "b.Close()")
	receiving.Wait()
	balance(t, b, p, sent, received)
}

// tally is how the Sends of one sender ended.
type tally struct{ accepted, full, closed int }

func (n *tally) count(t *conform.T, s Subject, err error) {
	switch err {
	case nil:
		n.accepted++
	case s.ErrFull:
		n.full++
	case s.ErrClosed:
		n.closed++
	default:
		t.Assert(err == nil, "No context had ended, and Send returned %s: it returns nil, ErrFull or ErrClosed.", conform.Said(err))
	}
}

// collect receives until b is closed. Sender n sent the values from n*each on.
func collect(t *conform.T, b Bounded, each int, into map[int]int) {
	last := map[int]int{}
	for v := range b.Out() {
		into[v]++
		if before, ok := last[v/each]; ok {
			t.Assert(v > before, "Sender %d sent %d before %d, and a receiver got %[3]d first.", v/each, v, before)
		}
		last[v/each] = v
	}
}

// balance compares what came out with what went in.
func balance(t *conform.T, b Bounded, p Policy, sent []tally, received []map[int]int) {
	var all tally
	for _, n := range sent {
		all = tally{all.accepted + n.accepted, all.full + n.full, all.closed + n.closed}
	}
	out := 0
	for i := range received {
		for v, n := range received[i] {
			times := n + received[1-i][v]
			t.Require(times == 1, "%d was sent once and received %d times.", v, times)
			out++
		}
	}
	t.Note("accepted %d, refused as full %d, refused as closed %d; received %d", all.accepted, all.full, all.closed, out)
	lost := 0
	if p == DropOldest {
		lost = all.accepted - out
		t.Require(lost >= 0, "Send accepted %d values, and %d were received: more than that.", all.accepted, out)
	} else {
		t.Require(all.accepted >= out, "Under %v Send accepted %d values, and %d were received. Some Send returned an error, and its value was received all the same.", p, all.accepted, out)
		t.Require(all.accepted == out, "Under %v Send accepted %d values, and %d were received: every accepted value is received.", p, all.accepted, out)
	}
	if p == DropNewest {
		lost = all.full
		n := conform.Do(t.Actor, b.Dropped, "b.Dropped()")
		t.Require(n == lost, "Under %v %d Sends returned ErrFull, and Dropped says %d: it counts each value that was dropped, and no other.", p, lost, n)
	} else {
		t.Require(all.full == 0, "Under %v every value is accepted, and Send returned ErrFull %d times.", p, all.full)
	}
	if n := b.Dropped(); p == DropOldest && n < lost {
		t.Fatalf("Under %v Send accepted %d values: %d were received, and Dropped says %d. That leaves %d whose Send returned nil and which were neither received nor counted.", p, all.accepted, out, n, lost-n)
	}
	hasDropped(t, b, lost)
}

// likeModel puts one sequence of calls to the subject and to a slice.
func likeModel(rt *rapid.T, t *conform.T, s Subject) {
	capacity := rapid.IntRange(1, 4).Draw(rt, "capacity")
	p := rapid.SampledFrom(allPolicies).Draw(rt, "policy")
	b := bounded(t, s, capacity, p)
	var held []int
	next, lost := 0, 0
	for range rapid.IntRange(1, 30).Draw(rt, "steps") {
		full := len(held) == capacity
		if rapid.Bool().Draw(rt, "receive") {
			t.Wait()
			select {
			case v := <-b.Out():
				t.Note("receives %d from b.Out()", v)
				t.Require(len(held) > 0, "The buffer should be empty, and %d was received from it.", v)
				t.Require(v == held[0], "The buffer should hold %v, the oldest first, and %d was received from it.", held, v)
				held = held[1:]
			default:
				t.Require(len(held) == 0, "The buffer should hold %v, and nothing can be received from it.", held)
			}
			continue
		}
		if full && p == Block {
			continue // it would wait
		}
		err := send(t.Actor, t.Context(), b, next)
		switch {
		case full && p == DropNewest:
			gives(t, err, s.ErrFull, "ErrFull", "Send to a full buffer")
			lost++
		case full:
			held = append(held[1:], next)
			lost++
			t.Require(err == nil, "Under DropOldest every value is accepted, and Send returned %s.", conform.Said(err))
		default:
			t.Require(err == nil, "The buffer should hold %v and has room for %d values, and Send returned %s.", held, capacity, conform.Said(err))
			held = append(held, next)
		}
		next++
	}
	hasDropped(t, b, lost)
	t.Do(b.Close, "b.Close()")
	sequence(t, "What is received after Close", rest(t, b), held)
}

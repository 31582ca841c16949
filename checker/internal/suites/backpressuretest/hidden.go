package backpressuretest

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		Source: "The Go Programming Language Specification, Select statements",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const tries = 200
			s := open()
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
			require.Positive(t, sent.Load(), "TrySend never sent anything, although the buffer was empty at first.")
			require.Equal(t, int(sent.Load()), <-received, "TrySend reported another number of sends than there were values to receive.")
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
		Source: "Go blog, Go Concurrency Patterns: Pipelines and cancellation: cancelling unblocks blocked senders and receivers",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			b := bounded(t, open(), 1, Block)
			require.NoError(t, send(t.Actor, t.Context(), b, 0), "Send refused a value although the buffer had room.")

			cancelled, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(errCause) })
			require.True(t, send(t.Actor, cancelled, b, 1) == context.Canceled, "Send did not return ctx.Err() when its context was cancelled.")
			require.Equal(t, time.Second, t.Elapsed(), "Send did not return when its context was cancelled.")

			late, end := context.WithTimeoutCause(t.Context(), time.Second, errCause)
			defer end()
			require.True(t, send(t.Actor, late, b, 2) == context.DeadlineExceeded, "Send did not return ctx.Err() when its deadline passed.")

			require.Zero(t, dropped(t, b), "A value that was given up was not dropped by the policy.")
			closeBounded(t.Actor, b)
			require.Equal(t, upTo(1), rest(t, b), "A value was received although its Send had returned an error.")
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
		Source: "The Go Programming Language Specification, Select statements: uniform pseudo-random selection",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			ctx, cancel := context.WithCancelCause(t.Context())
			cancel(errCause)
			for _, p := range allPolicies {
				b := bounded(t, s, 4, p)
				require.NoError(t, send(t.Actor, t.Context(), b, 0), "Send refused a value although the buffer had room.")
				for i := range 3 {
					require.True(t, send(t.Actor, ctx, b, 1+i) == context.Canceled, "Send did not return ctx.Err() although its context was done before.")
				}
				require.Zero(t, dropped(t, b), "A value that came too late was not dropped by the policy.")
				closeBounded(t.Actor, b)
				require.Equal(t, upTo(1), rest(t, b), "A value was accepted although its context was done, or the one before it was lost.")
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
		Source: "kubernetes#108080, send on a closed channel",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			b := bounded(t, s, 2, Block)
			require.NoError(t, send(t.Actor, t.Context(), b, 0), "Send refused a value although the buffer had room.")
			require.NoError(t, send(t.Actor, t.Context(), b, 1), "Send refused a value although the buffer had room.")
			for i := range 5 {
				t.Go("sender", func(a *conform.Actor) {
					assert.True(t, send(a, t.Context(), b, 2+i) == s.ErrClosed, "A Send that was waiting when the buffer was closed did not return ErrClosed.")
				})
			}
			t.Wait()
			closeBounded(t.Actor, b)
			t.Join()
			require.Equal(t, upTo(2), rest(t, b), "What was accepted before Close was not what was received after it.")
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
		Source: "the contract of this lab",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, p := range allPolicies {
				b := bounded(t, s, 1+t.Rand().IntN(3), p)
				traffic(t, s, b, p, func(*conform.Actor) {})
			}
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
		Source: "kubernetes#108080, send on a closed channel; Go sync/waitgroup.go: WaitGroup.Add (calls that start when the counter is zero must happen before Wait)",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				s := open()
				for _, p := range allPolicies {
					for range 3 {
						b := bounded(t, s, 1+t.Rand().IntN(3), p)
						traffic(t, s, b, p, func(a *conform.Actor) { closeBounded(a, b) })
					}
				}
			})
			s := open()
			for range moments { // two Closes and nothing else
				b := s.NewBounded(1, Block)
				atOnce(b.Close, b.Close)
				_, open := <-b.Out()
				require.False(t, open, "A value was received that nobody had sent.")
			}
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
		Source: "the contract of this lab",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, capacity := range []int{0, -1, -7} {
				b := bounded(t, s, capacity, DropNewest)
				require.NoError(t, send(t.Actor, t.Context(), b, 0), "A buffer of a capacity below one has room for one value.")
				require.True(t, send(t.Actor, t.Context(), b, 1) == s.ErrFull, "A buffer of a capacity below one has room for one value only.")
				closeBounded(t.Actor, b)
				require.Equal(t, upTo(1), rest(t, b), "The value that was accepted was not received.")
			}
		},
	},
	{
		Name:   "needs-no-close",
		Points: 2,
		Func:   "NewBounded",
		Rule:   "A buffer that is forgotten without Close leaves no goroutine behind.",
		Why:    "A queue made in a constructor and never started has leaked its goroutines in a real controller.",
		Hint: []string{
			"Does a channel need a goroutine that serves it?",
		},
		Source: "controller-runtime#649, a queue made in New leaked goroutines",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, p := range allPolicies {
				b := bounded(t, s, 2, p)
				require.NoError(t, send(t.Actor, context.Background(), b, 0), "Send refused a value although the buffer had room.")
			}
			add(t.Actor, pump(t, s), &Item{}) // and a pump that is never run
		},
	},
	{
		Name:   "bounded-like-its-model",
		Points: 3,
		Func:   "Bounded.Send",
		Rule:   "Any sequence of sends, receives and a close gives what a slice with a limit would give.",
		Why:    "The cases above are the ones that people think of.",
		Hint: []string{
			"Read the history from its end: it is the shortest sequence that goes wrong.",
		},
		Source: "the contract of this lab, against a naive model",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			model.Check(t, 60, func(rt *rapid.T, t *conform.T) { likeModel(rt, t, s) })
		},
	},
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
	closeBounded(t.Actor, b)
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
		assert.NoError(t, err, "Send returned an error that it has no reason for.")
	}
}

// collect receives until b is closed. Sender n sent the values from n*each on.
func collect(t *conform.T, b Bounded, each int, into map[int]int) {
	last := map[int]int{}
	for v := range b.Out() {
		into[v]++
		if before, ok := last[v/each]; ok {
			assert.Greater(t, v, before, "A receiver got the values of one sender in another order than they were sent.")
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
			require.Equal(t, 1, n+received[1-i][v], "A value was received more than once.")
			out++
		}
	}
	t.Note("accepted %d, refused as full %d, refused as closed %d; received %d", all.accepted, all.full, all.closed, out)
	lost := dropped(t, b)
	switch p {
	case Block:
		require.Zero(t, lost+all.full, "Under Block nothing is dropped.")
		require.Equal(t, all.accepted, out, "What was accepted is not what was received.")
	case DropNewest:
		require.Equal(t, all.full, lost, "Dropped is not the number of values that were refused with ErrFull.")
		require.Equal(t, all.accepted, out, "What was accepted is not what was received.")
	case DropOldest:
		require.Zero(t, all.full, "Under DropOldest every value is accepted.")
		require.Equal(t, all.accepted, out+lost, "What was accepted is not what was received and what was dropped together.")
	}
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
				t.Note("received %d", v)
				require.NotEmpty(t, held, "A value was received although none was there.")
				require.Equal(t, held[0], v, "Another value was received than the oldest that was there.")
				held = held[1:]
			default:
				require.Empty(t, held, "Nothing could be received although a value was there.")
			}
			continue
		}
		if full && p == Block {
			continue // it would wait
		}
		err := send(t.Actor, t.Context(), b, next)
		switch {
		case full && p == DropNewest:
			require.True(t, err == s.ErrFull, "Send to a full buffer did not return ErrFull.")
			lost++
		case full:
			held = append(held[1:], next)
			lost++
			require.NoError(t, err, "Under DropOldest every value is accepted.")
		default:
			held = append(held, next)
			require.NoError(t, err, "Send refused a value although the buffer had room.")
		}
		next++
	}
	require.Equal(t, lost, dropped(t, b), "Dropped is not the number of values that were dropped.")
	closeBounded(t.Actor, b)
	require.Equal(t, append([]int{}, held...), rest(t, b), "What was left in the buffer is not what was received after Close.")
}

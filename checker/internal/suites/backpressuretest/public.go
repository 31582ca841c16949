package backpressuretest

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "try-sends-if-there-is-room",
		Points: 3,
		Func:   "TrySend",
		Rule:   "TrySend sends if the buffer has room or a receiver is waiting, and reports it.",
		Why:    "A signal such as 'look again' needs to be sent once: a sender that finds it already sent goes on.",
		Hint: []string{
			"Which statement of Go tries a channel operation and does something else if it cannot go on?",
			"select with the send as its only case, and a default.",
		},
		Contract: []string{"or a receiver is waiting. It reports whether v was sent."},
		Source:   "The Go Programming Language Specification, Select statements: default",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			buffered := make(chan int, 2)
			t.Require(try(t, s, "buffered", buffered, 1), "The buffer was empty, and TrySend returned false: it should have sent.")
			t.Require(try(t, s, "buffered", buffered, 2), "The buffer had room for one more, and TrySend returned false: it should have sent.")
			sequence(t, "What is received from the channel", []int{<-buffered, <-buffered}, []int{1, 2})

			unbuffered := make(chan int)
			var got int
			t.Go("receiver", func(a *conform.Actor) {
				got = conform.Do(a, func() int { return <-unbuffered }, "<-unbuffered")
			})
			t.Wait()
			t.Require(try(t, s, "unbuffered", unbuffered, 3), "A receiver was waiting, and TrySend returned false: it should have sent.")
			t.Join()
			t.Require(got == 3, "TrySend(unbuffered, 3) returned true, and the receiver got %d.", got)
		},
	},
	{
		Name:   "try-never-waits",
		Points: 3,
		Func:   "TrySend",
		Rule:   "If nothing can be sent at once, TrySend returns false and sends nothing later. On a closed channel it still panics.",
		Why:    "A watch cache that waits for one slow watcher stops the events of all others.",
		Hint: []string{
			"What if you start a goroutine that sends? Then TrySend returns at once, and what becomes of the value?",
			"select with a default starts nothing and leaves nothing. It also knows what to do with a nil channel.",
		},
		Contract: []string{
			"It never blocks, and nothing is left behind that would send v later.",
			"On a nil channel nothing can ever be sent: TrySend returns false.",
			"On a closed channel it panics",
		},
		Source: "kubernetes#25331, a watcher leaked on an unread channel; The Go Programming Language Specification, Receive operator, Close",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			full := make(chan int, 1)
			full <- 0
			var wrong []string
			for name, ch := range map[string]chan int{"a full channel": full, "an unbuffered channel without receiver": make(chan int), "a nil channel": nil} {
				if try(t, s, name, ch, 7) {
					wrong = append(wrong, name)
				}
			}
			slices.Sort(wrong)
			t.Require(len(wrong) == 0, "On none of a full channel, an unbuffered channel without receiver and a nil channel can anything be sent. TrySend returned true, as if it had sent, on %s.", conform.Listed(wrong))
			t.Wait()
			t.Do(func() { <-full }, "<-ch")
			t.Wait()
			t.Require(len(full) == 0, "TrySend returned false, and its value was sent later, when there was room: something was left behind that sends it.")

			for _, held := range []int{0, 1} {
				t.Require(panics(t, s, 1, held), "TrySend on a closed channel with %d of 1 values in its buffer did not panic: it hides a bug that must be seen.", held)
			}
			t.Require(panics(t, s, 0, 0), "TrySend on a closed channel that has no buffer did not panic: it hides a bug that must be seen.")
		},
	},
	{
		Name:   "block-waits-at-capacity",
		Points: 3,
		Func:   "Bounded.Send",
		Look:   []string{"Bounded.Send", "NewBounded", "Bounded.Dropped"},
		Rule:   "Under Block a Send to a full buffer waits, and goes on after one receive. Nothing is dropped.",
		Why:    "This is backpressure: the slow side sets the pace, and memory does not grow.",
		Hint: []string{
			"What in Go holds a fixed number of values and makes the sender wait when it is full?",
			"A channel with a buffer of capacity values is most of Bounded already.",
		},
		Contract: []string{
			"Block makes Send wait until there is room",
			"old ones under DropOldest, none under Block",
			"All its methods may be called from any goroutine at any time, also while a Send waits. A Send that waits sleeps: it does not poll.",
		},
		Source: "The Go Memory Model, Channel communication",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const capacity, n = 2, 5
			b := bounded(t, open(), capacity, Block)
			var accepted atomic.Int32
			t.Go("sender", func(a *conform.Actor) {
				for i := range n {
					err := send(a, t.Context(), b, i)
					if t.Assert(err == nil, "Nobody closed the buffer or cancelled the context, and Send returned %s.", conform.Said(err)) {
						accepted.Add(1)
					}
				}
			})
			for taken := range n {
				t.Wait()
				got, want := int(accepted.Load()), min(n, capacity+taken)
				t.Require(got <= want, "Send did not wait for room: the buffer has a capacity of %d and %d values were received, and %d were accepted instead of %d.", capacity, taken, got, want)
				t.Require(got >= want, "Send waits although there is room: the buffer has a capacity of %d and %d values were received, and %d were accepted instead of %d.", capacity, taken, got, want)
				hasDropped(t, b, 0) // while a Send waits
				v := conform.Do(t.Actor, func() int { return <-b.Out() }, "<-b.Out()")
				t.Require(v == taken, "The values were not received in the order in which they were sent: %d came, and %d was next.", v, taken)
			}
			t.Join()
			t.Do(b.Close, "b.Close()")
			waitsAsleep(t, open())
		},
	},
	{
		Name:   "drop-newest-keeps-the-first",
		Points: 3,
		Func:   "Bounded.Send",
		Rule:   "Under DropNewest a Send to a full buffer drops its own value, returns ErrFull and counts it.",
		Why:    "An event recorder would rather lose an event than delay the controller that reports it.",
		Hint: []string{
			"A moment ago you built a send that does not wait.",
			"If TrySend says no: count, and return ErrFull.",
		},
		Contract: []string{
			"DropNewest drops the value that is being sent: Send returns ErrFull.",
			"Dropped is the number of values that the policy has dropped",
		},
		Source: "client-go tools/record/event.go: maxQueuedEvents; apimachinery pkg/watch/mux.go: DropIfChannelFull",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			b := bounded(t, s, 3, DropNewest)
			put(t, b, 0, 1, 2)
			for i := 3; i < 8; i++ {
				gives(t, send(t.Actor, t.Context(), b, i), s.ErrFull, "ErrFull", "Send to a full buffer")
			}
			t.Do(b.Close, "b.Close()")
			sequence(t, "What DropNewest with room for 3 keeps of 0 to 7", rest(t, b), upTo(3))
			hasDropped(t, b, 5)
		},
	},
	{
		Name:   "drop-oldest-keeps-the-last",
		Points: 3,
		Func:   "Bounded.Send",
		Rule:   "Under DropOldest a Send to a full buffer drops the oldest value, counts it, and its own is accepted.",
		Why:    "Of ten states of an object, only the newest matters to a level-triggered loop.",
		Hint: []string{
			"Who but a receiver can take something out of a channel? You can be one.",
			"Try to send; if that fails take one out and try again. Neither step may wait.",
			"Hold a lock around the two steps, or two senders take each other's room.",
		},
		Contract: []string{
			"DropOldest drops the value that has been in the buffer longest and takes the new one in.",
			"Dropped is the number of values that the policy has dropped",
		},
		Source: "the contract of this lab",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			b := bounded(t, open(), 3, DropOldest)
			for i := range 8 {
				err := send(t.Actor, t.Context(), b, i)
				t.Require(err == nil, "Under DropOldest every value is accepted, and Send returned %s for %d.", conform.Said(err), i)
			}
			t.Do(b.Close, "b.Close()")
			sequence(t, "What DropOldest with room for 3 keeps of 0 to 7", rest(t, b), between(5, 8))
			hasDropped(t, b, 5)
		},
	},
	{
		Name:   "close-lets-the-rest-out",
		Points: 4,
		Func:   "Bounded.Close",
		Look:   []string{"Bounded.Close", "Bounded.Send", "Bounded.Dropped", "Bounded.Out"},
		Rule:   "After Close every Send returns ErrClosed, what was accepted is received, and then Out is closed. A second Close does nothing.",
		Why:    "A shutdown often comes from two sides at once, and an accepted value is a promise.",
		Hint: []string{
			"What does a second close of the same channel do? And a send on it?",
			"Keep a flag under a lock: Send looks at it, Close sets it and does its work only the first time.",
		},
		Contract: []string{
			"Accepted values can still be received; then Out is closed.",
			"Every waiting Send returns ErrClosed, and so does every later one.",
			"A second Close does nothing.",
			"A value that was not accepted because of ctx or Close was not dropped by the policy",
			"A Send that begins after Close, or with a ctx that is done, takes nothing out of the buffer.",
			"Out is the channel on which the values are received: the same one every time.",
		},
		Source: "A Tour of Go, Range and Close: only the sender should close a channel; apimachinery pkg/watch/watch.go: Interface (Stop may be called more than once)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, p := range allPolicies {
				for _, capacity := range []int{4, 3} { // with room left, and full
					b := bounded(t, s, capacity, p)
					put(t, b, 0, 1, 2)
					out := b.Out()
					t.Do(b.Close, "b.Close()")
					gives(t, send(t.Actor, t.Context(), b, 3), s.ErrClosed, "ErrClosed", fmt.Sprintf("Send to a closed buffer with 3 of %d values, under %v,", capacity, p))
					t.Do(b.Close, "b.Close()")
					sameOut(t, b, out, "after it")
					dropped, got := conform.Do(t.Actor, b.Dropped, "b.Dropped()"), rest(t, b)
					untouched(t, fmt.Sprintf("After Close, Send to a buffer with 3 of %d values returned ErrClosed, under %v", capacity, p), got, upTo(3))
					saysDropped(t, dropped, 0) // neither what came after Close nor what can still be received
					sequence(t, fmt.Sprintf("What is received after Close, under %v,", p), got, upTo(3))
					sameOut(t, b, out, "when everything had been received")
					hasDropped(t, b, 0)
				}
			}
		},
	},
	{
		Name:   "pump-keeps-order",
		Points: 3,
		Func:   "Pump.Run",
		Rule:   "The handler gets every value once, in the order of the Adds, and after Close Run returns nil when the last was handled.",
		Why:    "A handler that sees the deletion of a pod before its creation keeps the pod for ever.",
		Hint: []string{
			"Keep the values in a queue under a lock. Run takes the first, calls handle, and comes back.",
			"What does Run do when the queue is empty, and how does Add let it know of a new value?",
			"A channel with a buffer of one is a good bell: Add rings it with TrySend, Run waits for it.",
		},
		Contract: []string{
			"Run calls handle for each value, in the order in which they were added",
			"It returns nil when the pump is closed and everything pending was handled.",
		},
		Source: "client-go tools/cache/shared_informer.go: processorListener (notifications are delivered in order, none is lost)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			p := pump(t, open())
			addAll(t, p, 0, 10) // before Run
			var got []int
			var err error
			t.Go("runner", func(a *conform.Actor) {
				err = runPump(a, t.Context(), p, recorded(a, func(v *Item) {
					time.Sleep(10 * time.Millisecond)
					got = append(got, idOf(v))
				}))
			})
			time.Sleep(35 * time.Millisecond)
			addAll(t, p, 10, 30) // while the handler works
			time.Sleep(time.Second)
			addAll(t, p, 30, 40) // after it had nothing to do
			t.Do(p.Close, "p.Close()")
			t.Join()
			sequence(t, "What the handler got", got, upTo(40))
			finished(t, err)
		},
	},
	{
		Name:   "add-never-waits",
		Long:   true,
		Points: 4,
		Func:   "Pump.Add",
		Rule:   "Add returns at once, however many values are pending and whatever the handler is doing.",
		Why:    "One stuck event handler must not stop the informer, which feeds all the others.",
		Hint: []string{
			"The handler of this case does not return for a long time. What do you hold while you call it?",
			"Take a value under the lock, release the lock, then call handle.",
			"A channel with a large buffer is full one day: the queue has to grow.",
		},
		Contract: []string{
			"Add never waits for the handler.",
			"Add appends v to what is pending and reports true, before Run as well as during it.",
			"Len is the number of values that are pending: added and not yet given to handle.",
		},
		Source: "kubernetes#26980, pop held a mutex across channel operations; client-go tools/cache/shared_informer.go: processorListener.add (a stuck handler delays nobody)",
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			const n = 20000
			p := pump(t, open())
			entered, release := make(chan struct{}), make(chan struct{})
			handled := 0
			t.Go("runner", func(a *conform.Actor) {
				_ = runPump(a, t.Context(), p, recorded(a, func(v *Item) {
					if idOf(v) == 0 {
						close(entered)
						<-release
					}
					handled++
				}))
			})
			addAll(t, p, 0, 1)
			<-entered
			addAll(t, p, 1, n+1)
			waiting(t, p, n)
			t.Note("lets the handler go on")
			close(release)
			t.Do(p.Close, "p.Close()")
			t.Join()
			t.Require(handled == n+1, "%d values were added, and the handler got %d.", n+1, handled)
			t.Virtual(func(t *conform.T) { flooded(t, open()) })
		},
	},
}

// sameOut requires that Out still returns the channel that it returned before Close.
func sameOut(t *conform.T, b Bounded, before <-chan int, when string) {
	now := conform.Do(t.Actor, b.Out, "b.Out()")
	t.Require(now == before, "Out returned one channel before Close, and another one %s: it is the same one every time.", when)
}

// waitsAsleep has two Sends wait for room, one with a ctx that may end and one with a ctx that cannot.
func waitsAsleep(t *conform.T, s Subject) {
	b := bounded(t, s, 1, Block)
	put(t, b, 0)
	for i, ctx := range []context.Context{t.Context(), context.Background()} {
		t.Go("sender", func(a *conform.Actor) { _ = send(a, ctx, b, 1+i) })
	}
	t.Wait()
	asleep(t, "Two Sends waited for room", "A Send that waits sleeps: it does not poll")
	t.Do(b.Close, "b.Close()")
	t.Join()
}

// flooded has a great many values pending behind the one that the handler works on, in virtual time: an Add that waits is late.
func flooded(t *conform.T, s Subject) {
	const n = 205_000
	p, item, release := pump(t, s), &Item{}, make(chan struct{})
	handled := 0
	t.Go("runner", func(*conform.Actor) {
		_ = p.Run(t.Context(), func(*Item) {
			<-release
			handled++
		})
	})
	p.Add(item)
	t.Wait()
	began := t.Elapsed()
	call := t.Call("p.Add, %d times, while the handler works on one value", n)
	for i := range n {
		ok, took := p.Add(item), t.Elapsed()-began
		if ok && took == 0 {
			continue
		}
		call.Returned("")
		t.Require(took == 0, "The handler worked on one value, %d were pending, and Add returned only after %v: Add never waits for the handler.", i, took)
		t.Fatalf("The handler worked on one value, %d were pending, and Add returned false: as long as the pump is neither closed nor has stopped, it appends each value and reports true.", i)
	}
	call.Returned("true")
	waiting(t, p, n)
	t.Note("lets the handler go on")
	close(release)
	t.Do(p.Close, "p.Close()")
	t.Join()
	t.Require(handled == n+1, "%d values were added, and the handler got %d.", n+1, handled)
}

// try calls TrySend.
func try(t *conform.T, s Subject, name string, ch chan<- int, v int) bool {
	return conform.Do(t.Actor, func() bool { return s.TrySend(ch, v) }, "TrySend(%s, %d)", name, v)
}

// panics reports whether TrySend panics on a closed channel that has room for so many values and holds so many.
func panics(t *conform.T, s Subject, capacity, held int) (panicked bool) {
	ch := make(chan int, capacity)
	for range held {
		t.Do(func() { ch <- 0 }, "ch <- 0")
	}
	t.Do(func() { close(ch) }, "close(ch)")
	defer func() { panicked = recover() != nil }()
	try(t, s, "a closed channel", ch, 7)
	return false
}

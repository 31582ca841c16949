package cancellation

import (
	"context"
	"iter"
	"sync"
)

// OrDone yields the values of in until in is closed or ctx is done.
//
// The select alone would not do: of two cases that are ready it picks one at random,
// so a full channel could win against a cancelled context again and again. Hence the
// look at ctx.Err in the loop's condition, before every select.
//
// The classic form of or-done returns a channel fed by a goroutine, and then the
// reader has to stop that goroutine when it leaves. An iterator runs in the
// reader's own goroutine: when the reader is gone there is nothing left to stop.
func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-in:
				if !ok || !yield(v) {
					return
				}
			}
		}
	}
}

// Merge carries the values of all inputs on one channel, with a goroutine for each.
//
// No forwarder may close out, because it cannot know whether another still sends. So
// one more goroutine waits for all of them: every send happens before its
// forwarder's Done, every Done before Wait returns, and only then comes the close.
func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	out := make(chan T) // unbuffered: a reader that stops is felt by the senders
	var forwarders sync.WaitGroup
	for _, in := range inputs {
		forwarders.Go(func() { forward(ctx, in, out) })
	}
	go func() {
		forwarders.Wait()
		close(out)
	}()
	return out
}

// forward passes the values of in on to out until in is closed or ctx is done. Both
// ends can block for ever, the receive and the send, so both listen to ctx.
func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	for v := range OrDone(ctx, in) {
		select {
		case <-ctx.Done():
			return
		case out <- v:
		}
	}
}

package cancellation

import (
	"context"
	"iter"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// OrDone yields what comes out of in, until in is closed or ctx is done. It is
// "for v := range in" for a channel that may never be closed:
//
//	for v := range OrDone(ctx, in) { … }
//
// The loop ends as soon as ctx is done, also while it waits for a value. If ctx is
// done by the time the loop asks for its next value, the loop gets none and takes
// none out of in, even if in has values ready. A value that arrives at the very
// moment of the cancellation may be yielded or dropped. A nil channel never sends and
// never closes.
//
// A loop that breaks off, by whatever leaves its body, also by a panic or runtime.Goexit,
// leaves nothing running and no function registered with ctx. Every value that it has not been
// given is still in the channel. A later loop over the same iter.Seq goes on with these values.
// Not specified are two loops over one iter.Seq at the same time.
func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	panic(kit.TODO("OrDone"))
}

// Merge returns at once with a channel that carries the values of all inputs: each
// value once, those of one input in their order. The channel is closed when all
// inputs are closed and their values have been taken, or when ctx is done,
// whichever is first. Then Merge's goroutines end, too, and no function of Merge stays
// registered with ctx. With no inputs the channel is closed at once. A nil input counts as
// one that never sends and never closes. Callers never pass the same channel twice. The
// caller may change the slice of inputs as soon as Merge has returned.
//
// A silent input delays no other. Merge does not hoard: of each input
// it takes at most one value that the reader has not taken yet, so a slow reader
// slows the senders down. No goroutine of Merge holds a mutex, be it a sync.RWMutex, that another
// one may want while it waits for an input or for the reader: a goroutine that waits for the
// mutex cannot listen to ctx.
//
// After ctx is done Merge depends on nobody: its goroutines end and the channel
// closes even if nobody reads it and no input ever closes. Values that a goroutine of
// Merge holds when ctx ends, or still receives before it notices, may be dropped. What
// is in an input after that stays there.
func Merge[T any](ctx context.Context, inputs ...<-chan T) <-chan T {
	panic(kit.TODO("Merge"))
}

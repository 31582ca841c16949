//go:build ignore

// Mistake: A channel with a lot of room, so that the connection never has to wait.
// Killed by: slow-reader-holds-the-line
// Verdict: wrong-answer

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func newStream[T kit.Object](ctx context.Context, cancel context.CancelFunc, typ kit.Type[T]) *stream[T] {
	return &stream[T]{typ: typ, ctx: ctx, cancel: cancel, result: make(chan kit.Event[T], 1<<16)}
}

//go:build ignore

// Mistake: The ResultChan has room for many events, and ListAndWatch ranges over it: all that has come is applied,
//   however long ago the context was done.
// Killed by: context-ends-the-watch
// Verdict: wrong-answer

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func newStream[T kit.Object](ctx context.Context, cancel context.CancelFunc, typ kit.Type[T]) *stream[T] {
	return &stream[T]{typ: typ, ctx: ctx, cancel: cancel, result: make(chan kit.Event[T], 256)}
}

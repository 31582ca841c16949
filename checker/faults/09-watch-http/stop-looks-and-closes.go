//go:build ignore

// Mistake: Stop looks whether the watch was stopped, and then closes a channel; that another Stop may come in
//   between is not thought of.
// Killed by: stop-releases-everything
// Verdict: panic

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type stream[T kit.Object] struct {
	typ    kit.Type[T]
	ctx    context.Context
	cancel context.CancelFunc
	result chan kit.Event[T]
	quit   chan struct{}
}

func newStream[T kit.Object](ctx context.Context, cancel context.CancelFunc, typ kit.Type[T]) *stream[T] {
	return &stream[T]{typ: typ, ctx: ctx, cancel: cancel, result: make(chan kit.Event[T]), quit: make(chan struct{})}
}

func (s *stream[T]) Stop() {
	select {
	case <-s.quit:
	default:
		close(s.quit)
		s.cancel()
	}
}

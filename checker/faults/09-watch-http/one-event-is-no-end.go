//go:build ignore

// Mistake: ListAndWatch waits for one more receive from the watch that it has stopped, and takes an event that was
//   in the buffer for the end.
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

func (c *Client[T]) follow(ctx context.Context, options kit.ListOptions, apply func(event kit.Event[T])) (version string, err error) {
	watch, err := c.Watch(ctx, options)
	if err != nil {
		return "", err
	}
	defer func() {
		watch.Stop()
		<-watch.ResultChan()
	}()
	for event := range watch.ResultChan() {
		switch event.Type {
		case kit.Error:
			return "", &kit.StatusError{ErrStatus: *event.Status}
		case kit.Bookmark:
		default:
			apply(event)
		}
		version = event.Object.GetResourceVersion()
		if ctx.Err() != nil {
			break
		}
	}
	return version, ctx.Err()
}

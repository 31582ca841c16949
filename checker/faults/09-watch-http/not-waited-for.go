//go:build ignore

// Mistake: At the end of ctx ListAndWatch stops its watch and does not wait until it has ended.
// Killed by: context-ends-the-watch
// Verdict: wrong-answer

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) follow(ctx context.Context, options kit.ListOptions, apply func(event kit.Event[T])) (version string, err error) {
	watch, err := c.Watch(ctx, options)
	if err != nil {
		return "", err
	}
	defer watch.Stop()
	for {
		select {
		case <-ctx.Done():
			return version, ctx.Err()
		case event, open := <-watch.ResultChan():
			if !open {
				return version, ctx.Err()
			}
			switch event.Type {
			case kit.Error:
				for range watch.ResultChan() {
				}
				return "", &kit.StatusError{ErrStatus: *event.Status}
			case kit.Bookmark:
			default:
				apply(event)
			}
			version = event.Object.GetResourceVersion()
		}
	}
}

//go:build ignore

// Mistake: ListAndWatch stops its last watch and returns, and does not wait until the watch has ended.
// Killed by: stop-releases-everything
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
	for event := range watch.ResultChan() {
		switch event.Type {
		case kit.Error:
			return "", &kit.StatusError{ErrStatus: *event.Status}
		case kit.Bookmark:
		default:
			apply(event)
		}
		version = event.Object.GetResourceVersion()
	}
	return version, ctx.Err()
}

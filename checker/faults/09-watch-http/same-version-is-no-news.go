//go:build ignore

// Mistake: An event of the version that the watch began from has been applied before, so it is dropped.
// Killed by: bookmarks-move-the-version
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
	defer func() {
		watch.Stop()
		for range watch.ResultChan() { // closed when nothing is left of the watch
		}
	}()
	for event := range watch.ResultChan() {
		switch event.Type {
		case kit.Error:
			return "", &kit.StatusError{ErrStatus: *event.Status}
		case kit.Bookmark:
		default:
			if event.Object.GetResourceVersion() != options.ResourceVersion {
				apply(event)
			}
		}
		version = event.Object.GetResourceVersion()
	}
	return version, ctx.Err()
}

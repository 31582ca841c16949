//go:build ignore

// Mistake: A bookmark is no change, and is skipped with its version.
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
		for range watch.ResultChan() {
		}
	}()
	for event := range watch.ResultChan() {
		switch event.Type {
		case kit.Error:
			return "", &kit.StatusError{ErrStatus: *event.Status}
		case kit.Bookmark:
			continue
		default:
			apply(event)
		}
		version = event.Object.GetResourceVersion()
	}
	return version, ctx.Err()
}

//go:build ignore

// Mistake: Versions are compared, to be sure that nothing is applied twice; they are texts, and so "20" is before "9".
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
		default:
			if event.Object.GetResourceVersion() > options.ResourceVersion {
				apply(event)
			}
		}
		version = event.Object.GetResourceVersion()
	}
	return version, ctx.Err()
}

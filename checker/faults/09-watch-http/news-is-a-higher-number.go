//go:build ignore

// Mistake: ListAndWatch takes a version for a number, and an event that is not above the last one for old news that
//   comes again.
// Killed by: bookmarks-move-the-version
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"strconv"

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
	last, _ := strconv.Atoi(options.ResourceVersion)
	for event := range watch.ResultChan() {
		if event.Type == kit.Error {
			return "", &kit.StatusError{ErrStatus: *event.Status}
		}
		version = event.Object.GetResourceVersion()
		n, err := strconv.Atoi(version)
		if event.Type != kit.Bookmark && (err != nil || n > last) {
			apply(event)
		}
		last = max(last, n)
	}
	return version, ctx.Err()
}

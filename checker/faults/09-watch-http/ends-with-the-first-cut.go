//go:build ignore

// Mistake: A watch that has ended is an end: the caller lists again, every few minutes.
// Killed by: resumes-without-loss-or-repeat
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if err != nil {
		return err
	}
	replace(list)
	version := list.ResourceVersion
	for {
		next, err := c.follow(ctx, kit.ListOptions{
			Namespace:           options.Namespace,
			ResourceVersion:     version,
			AllowWatchBookmarks: true,
			TimeoutSeconds:      options.TimeoutSeconds,
		}, apply)
		if err != nil {
			return err
		}
		if next == "" {
			sleep(ctx, pause)
			continue
		}
		version = next
		if ctx.Err() == nil {
			return io.ErrUnexpectedEOF
		}
	}
}

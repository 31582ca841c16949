//go:build ignore

// Mistake: A list that is Expired is asked for again at once, without a version: that is what the caller would do.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if kit.IsResourceExpired(err) {
		list, err = c.List(ctx, kit.ListOptions{Namespace: options.Namespace})
	}
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
	}
}

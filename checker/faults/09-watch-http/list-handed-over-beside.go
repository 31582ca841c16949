//go:build ignore

// Mistake: The list is handed over by a goroutine of its own, so that the watch begins sooner.
// Killed by: bookmarks-move-the-version
// Verdict: data-race

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if err != nil {
		return err
	}
	go replace(list)
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
			sleep(ctx, pause) // a server that ends every watch at once is not asked in a loop
			continue
		}
		version = next
	}
}

//go:build ignore

// Mistake: An object that was neither listed nor added can't be deleted, so its deletion is dropped.
// Killed by: bookmarks-move-the-version
// Verdict: wrong-answer

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
	known := map[string]bool{}
	for _, obj := range list.Items {
		known[kit.Key(obj)] = true
	}
	replace(list)
	knows := func(event kit.Event[T]) {
		if event.Type == kit.Deleted && !known[kit.Key(event.Object)] {
			return
		}
		known[kit.Key(event.Object)] = event.Type != kit.Deleted
		apply(event)
	}
	version := list.ResourceVersion
	for {
		next, err := c.follow(ctx, kit.ListOptions{
			Namespace:           options.Namespace,
			ResourceVersion:     version,
			AllowWatchBookmarks: true,
			TimeoutSeconds:      options.TimeoutSeconds,
		}, knows)
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

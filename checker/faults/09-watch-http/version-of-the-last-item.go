//go:build ignore

// Mistake: The first watch begins at the version of the list's last item, as if that were the newest.
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
	replace(list)
	version := list.ResourceVersion
	if n := len(list.Items); n > 0 {
		version = list.Items[n-1].GetResourceVersion()
	}
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

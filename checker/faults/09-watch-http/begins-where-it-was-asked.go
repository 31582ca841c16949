//go:build ignore

// Mistake: The watch begins at the version of the options and not at that of the list, which may be newer.
// Killed by: bookmarks-move-the-version
// Verdict: wrong-answer

package watchhttp

import (
	"cmp"
	"context"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if err != nil {
		return err
	}
	replace(list)
	version := cmp.Or(strings.Trim(options.ResourceVersion, "0"), list.ResourceVersion) // "0" is any
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

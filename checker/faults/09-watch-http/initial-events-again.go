//go:build ignore

// Mistake: The watches that follow the list have all the options of the caller, SendInitialEvents among them: what
//   was listed comes again with each of them.
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
	options.ResourceVersion, options.AllowWatchBookmarks = list.ResourceVersion, true
	for {
		next, err := c.follow(ctx, options, apply)
		if err != nil {
			return err
		}
		if next == "" {
			sleep(ctx, pause)
			continue
		}
		options.ResourceVersion = next
	}
}

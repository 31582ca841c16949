//go:build ignore

// Mistake: An error of the list is left to the watch, which fails in the same way as a rule; until
//   then the caller has a list of nothing.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, _ := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
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
			sleep(ctx, pause) // a server that ends every watch at once is not asked in a loop
			continue
		}
		version = next
	}
}

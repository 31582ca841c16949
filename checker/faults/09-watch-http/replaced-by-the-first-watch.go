//go:build ignore

// Mistake: The list is handed to replace when the first watch has begun: if that is refused, nobody gets the list.
// Killed by: errors-are-told
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
	handed := false
	hand := func() {
		if !handed {
			replace(list)
		}
		handed = true
	}
	version := list.ResourceVersion
	for {
		next, err := c.follow(ctx, kit.ListOptions{
			Namespace:           options.Namespace,
			ResourceVersion:     version,
			AllowWatchBookmarks: true,
			TimeoutSeconds:      options.TimeoutSeconds,
		}, func(event kit.Event[T]) {
			hand()
			apply(event)
		})
		if err != nil {
			return err
		}
		hand()
		if next == "" {
			sleep(ctx, pause)
			continue
		}
		version = next
	}
}

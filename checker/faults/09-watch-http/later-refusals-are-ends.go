//go:build ignore

// Mistake: A refusal of the first watch is returned; that of a later one, if it is not Expired, is taken for an end, and another watch is begun.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[T]), apply func(event kit.Event[T])) error {
	list, err := c.List(ctx, kit.ListOptions{Namespace: options.Namespace, ResourceVersion: options.ResourceVersion})
	if err != nil {
		return err
	}
	replace(list)
	version := list.ResourceVersion
	for first := true; ; first = false {
		next, err := c.follow(ctx, kit.ListOptions{
			Namespace:           options.Namespace,
			ResourceVersion:     version,
			AllowWatchBookmarks: true,
			TimeoutSeconds:      options.TimeoutSeconds,
		}, apply)
		var refusal *kit.StatusError
		if err != nil && (first || !errors.As(err, &refusal) || kit.IsResourceExpired(err)) {
			return err
		}
		if next == "" {
			sleep(ctx, pause)
			continue
		}
		version = next
	}
}

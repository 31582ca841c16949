//go:build ignore

// Mistake: The request has a context that only Stop ends (kubernetes#120980: an established watch was not
//   closed on stop).
// Killed by: context-ends-the-watch
// Verdict: deadlock

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	res, err := c.get(ctx, options, true)
	if err != nil {
		cancel()
		return nil, err
	}
	s := newStream(ctx, cancel, c.typ)
	go s.run(res.Body, c.maxEvent)
	return s, nil
}

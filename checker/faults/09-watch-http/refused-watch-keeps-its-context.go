//go:build ignore

// Mistake: A Watch that is refused returns without cancelling the context it has derived: each leaves one in the caller's.
// Killed by: connections-are-used-again
// Verdict: wrong-answer

package watchhttp

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	ctx, cancel := context.WithCancel(ctx)
	res, err := c.get(ctx, options, true)
	if err != nil {
		return nil, err
	}
	s := newStream(ctx, cancel, c.typ)
	go s.run(res.Body, c.maxEvent)
	return s, nil
}

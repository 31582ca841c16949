//go:build ignore

// Mistake: A watch whose ctx has ended when the answer comes is not begun, and the body of the answer is forgotten.
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
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		cancel()
		return nil, err
	}
	s := newStream(ctx, cancel, c.typ)
	go s.run(res.Body, c.maxEvent)
	return s, nil
}

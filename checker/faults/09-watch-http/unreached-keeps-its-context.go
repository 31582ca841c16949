//go:build ignore

// Mistake: A Watch that does not reach the server leaves the context of its request with ctx; one that is refused does not.
// Killed by: connections-are-used-again
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	ctx, cancel := context.WithCancel(ctx)
	res, err := c.get(ctx, options, true)
	var refusal *kit.StatusError
	if errors.As(err, &refusal) {
		cancel()
	}
	if err != nil {
		return nil, err
	}
	s := newStream(ctx, cancel, c.typ)
	go s.run(res.Body, c.maxEvent)
	return s, nil
}

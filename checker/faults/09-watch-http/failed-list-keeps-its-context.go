//go:build ignore

// Mistake: List has a context of its own, and cancels it where it returns a list. Each List that fails leaves one behind.
// Killed by: connections-are-used-again
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"fmt"
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	ctx, cancel := context.WithCancel(ctx)
	res, err := c.get(ctx, options, false)
	if err != nil {
		return kit.List[T]{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, endOr(ctx, err))
	}
	list, err := decodeList(c.typ, text)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, err)
	}
	cancel()
	return list, nil
}

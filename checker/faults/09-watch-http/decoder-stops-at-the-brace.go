//go:build ignore

// Mistake: A Decoder reads the list and stops at its last brace: the newline after it keeps the connection
//   from being used again.
// Killed by: connections-are-used-again
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	res, err := c.get(ctx, options, false)
	if err != nil {
		return kit.List[T]{}, err
	}
	defer res.Body.Close()
	var text json.RawMessage
	err = json.NewDecoder(res.Body).Decode(&text)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, endOr(ctx, err))
	}
	list, err := decodeList(c.typ, text)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, err)
	}
	return list, nil
}

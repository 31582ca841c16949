//go:build ignore

// Mistake: A list is decoded up to its last brace. That the answer was cut off after it, nobody learns.
// Killed by: client-lists
// Verdict: wrong-answer

package watchhttp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	res, err := c.get(ctx, options, false)
	if err != nil {
		return kit.List[T]{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	var first json.RawMessage
	if json.NewDecoder(bytes.NewReader(text)).Decode(&first) != nil && err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, endOr(ctx, err))
	}
	list, err := decodeList(c.typ, text)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, err)
	}
	return list, nil
}

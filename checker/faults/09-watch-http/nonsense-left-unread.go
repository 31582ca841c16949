//go:build ignore

// Mistake: A Decoder reads the list, and at the first byte that is none List gives up: what stands behind it is
//   not read, and the connection is lost.
// Killed by: connections-are-used-again
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"encoding/json"
	"errors"
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
	decoder := json.NewDecoder(res.Body)
	var text json.RawMessage
	if err := decoder.Decode(&text); err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, endOr(ctx, err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return kit.List[T]{}, fmt.Errorf("list %s: something comes after it: %w", c.typ.Resource, endOr(ctx, errors.Join(err, io.ErrUnexpectedEOF)))
	}
	list, err := decodeList(c.typ, text)
	if err != nil {
		return kit.List[T]{}, fmt.Errorf("list %s: %w", c.typ.Resource, err)
	}
	return list, nil
}

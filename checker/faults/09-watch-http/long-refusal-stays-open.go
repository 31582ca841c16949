//go:build ignore

// Mistake: The body of a refused list is read up to a megabyte and never closed: the server waits to send the rest.
// Killed by: connections-are-used-again
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"net/http"
	"net/url"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) get(ctx context.Context, options kit.ListOptions, watch bool) (*http.Response, error) {
	address := c.server + collection(c.typ, url.PathEscape(options.Namespace))
	if query := encode(options, watch).Encode(); query != "" {
		address += "?" + query
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, endOr(ctx, err)
	}
	if res.StatusCode != http.StatusOK {
		return nil, refusal(ctx, res)
	}
	return res, nil
}

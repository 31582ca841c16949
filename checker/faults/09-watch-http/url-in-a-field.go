//go:build ignore

// Mistake: The URL is put together in a field of the Client, by all calls at once.
// Killed by: many-at-once
// Verdict: data-race

package watchhttp

import (
	"context"
	"net/http"
	"net/url"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Client[T kit.Object] struct {
	typ      kit.Type[T]
	server   string
	address  string
	http     *http.Client
	maxEvent int
}

func (c *Client[T]) get(ctx context.Context, options kit.ListOptions, watch bool) (*http.Response, error) {
	c.address = c.server + collection(c.typ, url.PathEscape(options.Namespace))
	if query := encode(options, watch).Encode(); query != "" {
		c.address += "?" + query
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return nil, endOr(ctx, err)
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, refusal(ctx, res)
	}
	return res, nil
}

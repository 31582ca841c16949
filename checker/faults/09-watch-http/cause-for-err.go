//go:build ignore

// Mistake: net/http's error is passed on, which wraps the cause of the context and not its end:
//   errors.Is(err, context.Canceled) says no.
// Killed by: context-ends-the-watch
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
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, refusal(ctx, res)
	}
	return res, nil
}

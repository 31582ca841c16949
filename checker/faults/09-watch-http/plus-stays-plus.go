//go:build ignore

// Mistake: A "+" means nothing in a URL, so it need not be escaped; in a query it is a space.
// Killed by: client-watches
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) get(ctx context.Context, options kit.ListOptions, watch bool) (*http.Response, error) {
	address := c.server + collection(c.typ, url.PathEscape(options.Namespace))
	if query := encode(options, watch).Encode(); query != "" {
		address += "?" + strings.ReplaceAll(query, "%2B", "+")
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
		defer res.Body.Close()
		return nil, refusal(ctx, res)
	}
	return res, nil
}

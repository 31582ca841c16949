//go:build ignore

// Mistake: The namespace is escaped as a path, in which a "/" stays as it is, and not as one segment of a path.
// Killed by: client-lists
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"net/http"
	"net/url"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Client[T]) get(ctx context.Context, options kit.ListOptions, watch bool) (*http.Response, error) {
	namespace := url.URL{Path: options.Namespace}
	address := c.server + collection(c.typ, namespace.EscapedPath())
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
		defer res.Body.Close()
		return nil, refusal(ctx, res)
	}
	return res, nil
}

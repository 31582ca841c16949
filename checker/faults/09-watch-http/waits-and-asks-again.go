//go:build ignore

// Mistake: An answer with Retry-After is no error: the Client waits that long and asks again. client-go does so; here the
//   caller decides.
// Killed by: errors-are-told
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"time"

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
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil {
		res.Body.Close()
		sleep(ctx, time.Duration(seconds)*time.Second)
		if res, err = c.http.Do(req); err != nil {
			return nil, endOr(ctx, err)
		}
	}
	if res.StatusCode != http.StatusOK {
		defer res.Body.Close()
		return nil, refusal(ctx, res)
	}
	return res, nil
}

//go:build ignore

// Mistake: The URL of the server is parsed, and its Path is put together with that of the API; what was escaped in it is not any longer.
// Killed by: client-lists
// Verdict: wrong-answer

package watchhttp

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func NewClient[T kit.Object](typ kit.Type[T], server string, options Options) *Client[T] {
	if u, err := url.Parse(server); err == nil {
		server = u.Scheme + "://" + u.Host + u.Path
	}
	return &Client[T]{
		typ:      typ,
		server:   strings.TrimRight(server, "/"),
		http:     cmp.Or(options.HTTP, http.DefaultClient),
		maxEvent: cmp.Or(options.MaxEvent, maxEvent),
	}
}

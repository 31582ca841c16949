//go:build ignore

// Mistake: A watch list is asked for without resourceVersionMatch: an API server refuses it.
// Killed by: client-watches
// Verdict: wrong-answer

package watchhttp

import (
	"net/url"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func encode(options kit.ListOptions, watch bool) url.Values {
	query := url.Values{}
	set := func(name, value string, wanted bool) {
		if wanted {
			query.Set(name, value)
		}
	}
	set("watch", "true", watch)
	set("resourceVersion", options.ResourceVersion, options.ResourceVersion != "")
	set("allowWatchBookmarks", "true", options.AllowWatchBookmarks)
	set("sendInitialEvents", "true", options.SendInitialEvents)
	set("timeoutSeconds", strconv.FormatInt(options.TimeoutSeconds, 10), options.TimeoutSeconds != 0)
	return query
}

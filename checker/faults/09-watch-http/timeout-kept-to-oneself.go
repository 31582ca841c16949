//go:build ignore

// Mistake: TimeoutSeconds is not sent: the watch goes on until a load balancer cuts it.
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
	set("resourceVersionMatch", "NotOlderThan", options.SendInitialEvents)
	_ = strconv.FormatInt
	return query
}

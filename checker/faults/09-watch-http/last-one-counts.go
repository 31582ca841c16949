//go:build ignore

// Mistake: A parameter that is given twice is read as most configuration files are: the last one counts.
// Killed by: parameters-reach-the-source
// Verdict: wrong-answer

package watchhttp

import (
	"net/url"
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func parse(query url.Values) (kit.ListOptions, error) {
	options := kit.ListOptions{
		ResourceVersion:     query.Get("resourceVersion"),
		AllowWatchBookmarks: flag(query, "allowWatchBookmarks"),
		SendInitialEvents:   flag(query, "sendInitialEvents"),
	}
	for _, seconds := range query["timeoutSeconds"] {
		n, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil || n < 0 {
			return options, kit.NewStatusError(kit.ReasonBadRequest, "timeoutSeconds: %q is not a number of seconds", seconds)
		}
		options.TimeoutSeconds = n
	}
	return options, nil
}

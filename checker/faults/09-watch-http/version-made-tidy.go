//go:build ignore

// Mistake: A version is rid of the blanks around it, and so is no longer what the source has made.
// Killed by: parameters-reach-the-source
// Verdict: wrong-answer

package watchhttp

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func parse(query url.Values) (kit.ListOptions, error) {
	options := kit.ListOptions{
		ResourceVersion:     strings.TrimSpace(query.Get("resourceVersion")),
		AllowWatchBookmarks: flag(query, "allowWatchBookmarks"),
		SendInitialEvents:   flag(query, "sendInitialEvents"),
	}
	if seconds := query.Get("timeoutSeconds"); seconds != "" {
		n, err := strconv.ParseInt(seconds, 10, 64)
		if err != nil || n < 0 {
			return options, kit.NewStatusError(kit.ReasonBadRequest, "timeoutSeconds: %q is not a number of seconds", seconds)
		}
		options.TimeoutSeconds = n
	}
	return options, nil
}

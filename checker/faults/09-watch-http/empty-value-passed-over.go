//go:build ignore

// Mistake: An empty value is passed over where another follows: "watch=&watch=0" is taken for watch=0.
// Killed by: parameters-reach-the-source
// Verdict: wrong-answer

package watchhttp

import (
	"net/url"
	"strings"
)

func flag(query url.Values, name string) bool {
	values := query[name]
	if len(values) > 1 && values[0] == "" {
		values = values[1:]
	}
	return len(values) > 0 && values[0] != "0" && !strings.EqualFold(values[0], "false")
}

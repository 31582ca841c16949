//go:build ignore

// Mistake: Only what strconv.ParseBool might like is yes: watch=yes, which stands in many a script, is a
//   list.
// Killed by: parameters-reach-the-source
// Verdict: wrong-answer

package watchhttp

import (
	"net/url"
	"strings"
)

func flag(query url.Values, name string) bool {
	value := query.Get(name)
	return query.Has(name) && (value == "1" || strings.EqualFold(value, "true"))
}

//go:build ignore

// Mistake: The event says that there is no node, and keeps the reasons of the filters to itself.
// Killed by: unschedulable-waits
// Verdict: wrong-answer

package scheduler

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

func fitError(nodes int, refusals map[string]int) error {
	reasons := slices.SortedFunc(maps.Keys(refusals), func(a, b string) int {
		return cmp.Or(cmp.Compare(refusals[b], refusals[a]), cmp.Compare(a, b))
	})
	for i, reason := range reasons {
		reasons[i] = fmt.Sprintf("%d %s", refusals[reason], reason)
	}
	return fmt.Errorf("0/%d nodes are available: %s", nodes, strings.Repeat("no ", len(reasons)))
}

//go:build ignore

// Mistake: The errors of the filters are the keys of a map, in which each is counted. One that holds several may be a slice, and
//   that cannot be a key.
// Killed by: unschedulable-waits
// Verdict: panic

package scheduler

import (
	"fmt"
	"slices"
	"strings"
)

func (a *attempt) filter() error {
	a.mu.Lock()
	a.nodes = a.cache.snapshot(a.nodes[:0])
	a.mu.Unlock()
	a.feasible = a.feasible[:0]
	enough, looked := NumFeasibleNodesToFind(len(a.nodes)), 0
	refusals := map[error]int{}
	for looked < len(a.nodes) && len(a.feasible) < enough {
		node := a.nodes[looked]
		looked++
		if err := a.refuses(node); err != nil {
			refusals[err]++
		} else {
			a.feasible = append(a.feasible, node)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cache.advance(looked)
	if len(a.feasible) == 0 {
		return fitError(len(a.nodes), refusals)
	}
	return nil
}

func fitError(nodes int, refusals map[error]int) error {
	var reasons []string
	for reason, n := range refusals {
		reasons = append(reasons, fmt.Sprintf("%d %s", n, reason))
	}
	slices.Sort(reasons)
	return fmt.Errorf("0/%d nodes are available: %s", nodes, strings.Join(reasons, ", "))
}

//go:build ignore

// Mistake: The turn moves on by the nodes that were feasible, and not by all that were looked at.
// Killed by: enough-is-enough
// Verdict: wrong-answer

package scheduler

func (a *attempt) filter() error {
	a.mu.Lock()
	a.nodes = a.cache.snapshot(a.nodes[:0])
	a.mu.Unlock()
	a.feasible = a.feasible[:0]
	enough, looked := NumFeasibleNodesToFind(len(a.nodes)), 0
	refusals := map[string]int{}
	for looked < len(a.nodes) && len(a.feasible) < enough {
		node := a.nodes[looked]
		looked++
		if err := a.refuses(node); err != nil {
			refusals[err.Error()]++
		} else {
			a.feasible = append(a.feasible, node)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cache.advance(len(a.feasible))
	if len(a.feasible) == 0 {
		return fitError(len(a.nodes), refusals)
	}
	return nil
}

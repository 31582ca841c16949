//go:build ignore

// Mistake: All nodes are scored, however many there are.
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
	for looked < len(a.nodes) && enough > 0 {
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
	a.cache.advance(looked)
	if len(a.feasible) == 0 {
		return fitError(len(a.nodes), refusals)
	}
	return nil
}

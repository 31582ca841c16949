//go:build ignore

// Mistake: The filters are asked under the lock, so that nothing changes meanwhile. Then the informers wait
//   for them, and a filter that asks the scheduler waits for itself.
// Killed by: no-lock-held-outside
// Verdict: deadlock

package scheduler

func (a *attempt) filter() error {
	a.mu.Lock()
	a.nodes = a.cache.snapshot(a.nodes[:0])
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
	defer a.mu.Unlock()
	a.cache.advance(looked)
	if len(a.feasible) == 0 {
		return fitError(len(a.nodes), refusals)
	}
	return nil
}

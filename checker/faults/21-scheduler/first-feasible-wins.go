//go:build ignore

// Mistake: The first node that will do is taken; the best is not looked for.
// Killed by: highest-sum-wins
// Verdict: wrong-answer

package scheduler

func (a *attempt) best() *NodeInfo {
	if len(a.feasible) == 1 {
		return a.feasible[0]
	}
	best, highest := a.feasible[0], a.sum(a.feasible[0])
	for _, node := range a.feasible[1:] {
		if sum := a.sum(node); sum > highest+1_000_000 {
			best, highest = node, sum
		}
	}
	return best
}

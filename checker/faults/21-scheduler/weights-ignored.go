//go:build ignore

// Mistake: The scores are added up as they are.
// Killed by: highest-sum-wins
// Verdict: wrong-answer

package scheduler

func (a *attempt) sum(node *NodeInfo) int64 {
	sum := int64(0)
	for _, score := range a.options.Scores {
		sum += score.Score(a.pod, *node)
	}
	return sum
}

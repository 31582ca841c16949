//go:build ignore

// Mistake: The percentage is taken also of small clusters: of 200 nodes 98 are looked at.
// Killed by: enough-is-enough
// Verdict: wrong-answer

package scheduler

func NumFeasibleNodesToFind(nodes int) int {
	const fewest, fewestPercent = 100, 5
	if nodes <= fewest {
		return nodes
	}
	percent := max(50-nodes/125, fewestPercent)
	return nodes * percent / 100
}

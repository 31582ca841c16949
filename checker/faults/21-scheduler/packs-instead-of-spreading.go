//go:build ignore

// Mistake: The fuller node gets the higher score: that is the plugin for those who pay for each node.
// Killed by: score-spreads
// Verdict: wrong-answer

package scheduler

func percent(part, whole int64) int64 {
	if part <= 0 || whole <= 0 {
		return 0
	}
	return 100 - part*100/whole
}

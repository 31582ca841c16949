//go:build ignore

// Mistake: The sums of a node that is not known are zero when its pods are gone, so they may stay. Each of
//   them takes memory, and no node comes with a name of yesterday.
// Killed by: forgets-the-gone
// Verdict: wrong-answer

package scheduler

func (c *cache) drop(string) {}

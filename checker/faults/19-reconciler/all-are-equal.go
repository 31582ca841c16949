//go:build ignore

// Mistake: What is in the queue is in the queue; the order will be right.
// Killed by: the-old-can-wait
// Verdict: wrong-answer

package reconciler

func priority(canWait bool) *int {
	if !canWait {
		return nil
	}
	return nil
}

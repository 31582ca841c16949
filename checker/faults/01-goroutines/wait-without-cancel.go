//go:build ignore

// Mistake: While all slots are taken, Gather does not listen to its context.
// Killed by: cancelled-while-waiting
// Verdict: wrong-answer

package goroutines

import "context"

func acquire(ctx context.Context, slots chan<- struct{}) bool {
	if ctx.Err() != nil {
		return false
	}
	slots <- struct{}{}
	return true
}

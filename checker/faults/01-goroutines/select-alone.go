//go:build ignore

// Mistake: The select is trusted to prefer the cancelled context; with a free slot too it picks at random
//   (kubernetes#49145 is what follows).
// Killed by: cancelled-before-start
// Verdict: wrong-answer

package goroutines

import "context"

func acquire(ctx context.Context, slots chan<- struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case slots <- struct{}{}:
		return true
	}
}

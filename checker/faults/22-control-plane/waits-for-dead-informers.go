//go:build ignore

// Mistake: Informers sync sooner or later. Those of a component that was killed do not.
// Killed by: storm-of-kills
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"
)

func until(ctx context.Context, done func() bool) bool {
	for !done() {
		time.Sleep(10 * time.Millisecond)
	}
	return ctx.Err() == nil
}

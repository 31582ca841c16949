//go:build ignore

// Mistake: Whatever a component that was killed returns, it returns it because it was killed.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

import "context"

func worthReporting(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() == nil
}

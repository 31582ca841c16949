//go:build ignore

// Mistake: The deferred stop stands before the look at whether the pump runs: a second Run stops the pump of the first.
// Killed by: runs-once
// Verdict: wrong-answer

package backpressure

import (
	"context"
)

// Run calls handle for each value until the pump is closed and drained, or ctx ends.
func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	defer p.stop() // deferred: handle may panic
	if !p.start() {
		return ErrStarted
	}
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}

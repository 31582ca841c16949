//go:build ignore

// Mistake: handle gets a goroutine for each value so that it cannot delay the next: order is gone, and calls
//   overlap.
// Killed by: many-senders-one-handler
// Verdict: data-race

package backpressure

import (
	"context"
	"sync"
)

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer p.stop()
	var each sync.WaitGroup
	defer each.Wait()
	one := handle
	handle = func(v T) { each.Go(func() { one(v) }) }
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}

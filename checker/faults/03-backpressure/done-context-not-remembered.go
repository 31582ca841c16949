//go:build ignore

// Mistake: A Run whose ctx is done before the call has handled nothing, so it does not count: the next one begins.
// Killed by: runs-once
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	p.mu.Lock()
	again := p.started
	p.started = again || ctx.Err() == nil
	p.mu.Unlock()
	if again {
		return ErrStarted
	}
	defer p.stop() // deferred: handle may panic
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}

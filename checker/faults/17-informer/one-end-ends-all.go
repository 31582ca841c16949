//go:build ignore

// Mistake: Start gives all informers a group's ctx, which the first Run that returns cancels for all.
// Killed by: factory-starts-once
// Verdict: wrong-answer

package informer

import "context"

func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shuttingDown {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	for _, e := range f.informers {
		if !e.started {
			e.started = true
			f.running.Go(func() {
				defer cancel()
				e.informer.Run(ctx)
			})
		}
	}
}

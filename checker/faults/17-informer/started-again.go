//go:build ignore

// Mistake: Each Start runs all informers.
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
	for _, e := range f.informers {
		if !e.started || e.started {
			e.started = true
			f.running.Go(func() { e.informer.Run(ctx) })
		}
	}
}

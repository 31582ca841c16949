//go:build ignore

// Mistake: Start does not look whether the factory was shut down.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

import "context"

func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.informers {
		if !e.started {
			e.started = true
			f.running.Go(func() { e.informer.Run(ctx) })
		}
	}
}

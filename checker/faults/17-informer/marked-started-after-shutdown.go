//go:build ignore

// Mistake: Start marks informers as started before it finds that Shutdown has been called, and
//   WaitForCacheSync waits for them.
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
			if f.shuttingDown {
				continue
			}
			f.running.Go(func() { e.informer.Run(ctx) })
		}
	}
}

//go:build ignore

// Mistake: A factory is used while a program starts, which is thought to happen on one goroutine.
// Killed by: factory-waits
// Verdict: data-race

package informer

import "context"

func (f *Factory) Start(ctx context.Context) {
	if f.shuttingDown {
		return
	}
	for _, e := range f.informers {
		if !e.started {
			e.started = true
			f.running.Go(func() { e.informer.Run(ctx) })
		}
	}
}

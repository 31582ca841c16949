//go:build ignore

// Mistake: Shutdown ends the ctx of all informers, though parts of the program still use them.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

import (
	"context"
	"sync"
)

var cancels sync.Map // from a factory to what ends its informers

func (f *Factory) Start(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.shuttingDown {
		return
	}
	for _, e := range f.informers {
		if !e.started {
			e.started = true
			ctx, cancel := context.WithCancel(ctx)
			earlier, _ := cancels.LoadOrStore(f, []context.CancelFunc{})
			cancels.Store(f, append(earlier.([]context.CancelFunc), cancel))
			f.running.Go(func() { e.informer.Run(ctx) })
		}
	}
}

func (f *Factory) Shutdown() {
	f.mu.Lock()
	f.shuttingDown = true
	f.mu.Unlock()
	all, _ := cancels.LoadAndDelete(f)
	stops, _ := all.([]context.CancelFunc)
	for _, cancel := range stops {
		cancel()
	}
	f.running.Wait()
}

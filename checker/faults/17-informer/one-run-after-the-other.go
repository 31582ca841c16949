//go:build ignore

// Mistake: Start has one goroutine for all informers: the second runs when the first has stopped.
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
	var runs []func(context.Context)
	for _, e := range f.informers {
		if !e.started {
			e.started = true
			runs = append(runs, e.informer.Run)
		}
	}
	f.running.Go(func() {
		for _, run := range runs {
			run(ctx)
		}
	})
}

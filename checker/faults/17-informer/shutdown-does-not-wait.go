//go:build ignore

// Mistake: Shutdown keeps informers from being started and goes.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

func (f *Factory) Shutdown() {
	f.mu.Lock()
	f.shuttingDown = true
	f.mu.Unlock()
}

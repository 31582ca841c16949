//go:build ignore

// Mistake: Shutdown waits first and sets its flag then: what is started meanwhile runs.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

func (f *Factory) Shutdown() {
	f.running.Wait()
	f.mu.Lock()
	f.shuttingDown = true
	f.mu.Unlock()
}

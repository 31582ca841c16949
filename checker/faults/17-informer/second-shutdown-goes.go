//go:build ignore

// Mistake: A second Shutdown takes the flag of the first for its end, and returns while informers run.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

func (f *Factory) Shutdown() {
	f.mu.Lock()
	begun := f.shuttingDown
	f.shuttingDown = true
	f.mu.Unlock()
	if begun {
		return
	}
	f.running.Wait()
}

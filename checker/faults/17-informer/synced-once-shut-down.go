//go:build ignore

// Mistake: Once Shutdown has been called no informer counts as started: WaitForCacheSync waits for none, and
//   reports that all have synced.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

func (f *Factory) started() []*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	var started []*entry
	for _, e := range f.informers {
		if e.started && !f.shuttingDown {
			started = append(started, e)
		}
	}
	return started
}

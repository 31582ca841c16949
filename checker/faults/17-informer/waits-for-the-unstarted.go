//go:build ignore

// Mistake: WaitForCacheSync waits for every informer that was ever requested, started or not.
// Killed by: factory-waits
// Verdict: wrong-answer

package informer

func (f *Factory) started() []*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	var started []*entry
	for _, e := range f.informers {
		if e != nil {
			started = append(started, e)
		}
	}
	return started
}

//go:build ignore

// Mistake: The transformer needs nothing of the queue, so Add calls it before it locks: twice at once, or while
//   process runs.
// Killed by: process-runs-under-the-lock
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Add(obj T) error {
	key := kit.Key(obj)
	var err error
	if f.transform != nil {
		obj, err = f.transform(obj)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	if err != nil {
		return err
	}
	f.push(key, kit.Delta[T]{Type: kit.DeltaAdded, Object: obj})
	return nil
}

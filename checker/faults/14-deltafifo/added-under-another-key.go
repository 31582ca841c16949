//go:build ignore

// Mistake: Add makes its key from namespace and name also where there is no namespace.
// Killed by: keys-in-order
// Verdict: wrong-answer

package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

func (f *DeltaFIFO[T]) Add(obj T) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	return f.observe(kit.DeltaAdded, obj.GetNamespace()+"/"+obj.GetName(), obj)
}

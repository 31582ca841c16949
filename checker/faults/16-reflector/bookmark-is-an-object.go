//go:build ignore

// Mistake: A bookmark is put into the store like any other event.
// Killed by: events-reach-the-store
// Verdict: wrong-answer

package reflector

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *Reflector[T]) apply(event kit.Event[T]) bool {
	switch event.Type {
	case kit.Added:
		_ = r.store.Add(event.Object)
	case kit.Modified:
		_ = r.store.Update(event.Object)
	case kit.Deleted:
		_ = r.store.Delete(event.Object)
	case kit.Bookmark:
		_ = r.store.Update(event.Object)
	default:
		return false
	}
	return true
}

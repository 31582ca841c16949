//go:build ignore

// Mistake: An object that is about to be deleted is deleted from the store already.
// Killed by: events-reach-the-store
// Verdict: wrong-answer

package reflector

import "github.com/controllerbook/controllerbook/labs/kit"

func (r *Reflector[T]) apply(event kit.Event[T]) bool {
	switch event.Type {
	case kit.Added:
		_ = r.store.Add(event.Object)
	case kit.Modified:
		if pod, ok := any(event.Object).(*kit.Pod); ok && pod.DeletionTimestamp != nil {
			_ = r.store.Delete(event.Object)
			return true
		}
		_ = r.store.Update(event.Object)
	case kit.Deleted:
		_ = r.store.Delete(event.Object)
	case kit.Bookmark: // the version is all there is to it
	default:
		return false
	}
	return true
}

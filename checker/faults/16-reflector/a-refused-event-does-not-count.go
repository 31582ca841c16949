//go:build ignore

// Mistake: The version does not move past an event that the store refused, so that the next watch brings it again.
// Killed by: skips-what-it-does-not-know
// Verdict: wrong-answer

package reflector

import (
	"github.com/controllerbook/controllerbook/labs/kit"
)

// apply brings one event to the store and reports whether the store is up to date with
// it. An error of the store is not the watch's: the watch goes on, as client-go's does.
func (r *Reflector[T]) apply(event kit.Event[T]) bool {
	switch event.Type {
	case kit.Added:
		return r.store.Add(event.Object) == nil
	case kit.Modified:
		return r.store.Update(event.Object) == nil
	case kit.Deleted:
		return r.store.Delete(event.Object) == nil
	default:
		return event.Type == kit.Bookmark // the version is all there is to it
	}
}

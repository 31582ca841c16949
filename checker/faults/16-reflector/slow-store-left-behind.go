//go:build ignore

// Mistake: The store has ten seconds for an object. After that the watch goes on, and the version is published without it.
// Killed by: publishes-what-is-stored
// Verdict: wrong-answer

package reflector

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) apply(event kit.Event[T]) bool {
	change := map[kit.EventType]func(T) error{
		kit.Added: r.store.Add, kit.Modified: r.store.Update, kit.Deleted: r.store.Delete,
	}[event.Type]
	if change == nil {
		return event.Type == kit.Bookmark // the version is all there is to it
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = change(event.Object)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
	}
	return true
}

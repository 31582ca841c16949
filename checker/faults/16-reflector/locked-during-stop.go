//go:build ignore

// Mistake: The end of a watch and its last version belong together, so the lock of the version is held while it is stopped.
// Killed by: publishes-what-is-stored
// Verdict: deadlock

package reflector

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) watch(ctx context.Context, broken <-chan error) error {
	began := time.Now()
	from := r.LastSyncResourceVersion()
	w, err := r.lw.Watch(ctx, kit.ListOptions{
		ResourceVersion:     from,
		AllowWatchBookmarks: true,
		TimeoutSeconds:      r.watchTimeout(),
	})
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	defer r.leave(w)
	inOrder := from != "" && from != "0"
	events, err := r.consume(ctx, w.ResultChan(), inOrder, broken)
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	if events == 0 && time.Since(began) < veryShort {
		return errVeryShortWatch
	}
	return nil
}

func (r *Reflector[T]) leave(w kit.Watch[T]) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w.Stop()
}

//go:build ignore

// Mistake: A watch has to begin at the last version, so the lock of the version is held until the server has answered.
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
	w, from, err := r.ask(ctx)
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	defer w.Stop()
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

func (r *Reflector[T]) ask(ctx context.Context) (kit.Watch[T], string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, err := r.lw.Watch(ctx, kit.ListOptions{
		ResourceVersion:     r.version,
		AllowWatchBookmarks: true,
		TimeoutSeconds:      r.watchTimeout(),
	})
	return w, r.version, err
}

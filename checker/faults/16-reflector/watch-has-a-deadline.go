//go:build ignore

// Mistake: A watch that has gone on for longer than its timeout is taken for dead, and the ctx of its request ends it.
// Killed by: one-backoff-for-all
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) watch(parent context.Context, broken <-chan error) error {
	ctx, cancel := context.WithTimeout(parent, 2*r.options.MinWatchTimeout)
	defer cancel()
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
	defer w.Stop()
	inOrder := from != "" && from != "0"
	events, err := r.consume(parent, w.ResultChan(), inOrder, broken)
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	if events == 0 && time.Since(began) < veryShort {
		return errVeryShortWatch
	}
	return nil
}

//go:build ignore

// Mistake: A watch from "" or "0" has no TimeoutSeconds.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

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
	inOrder := from != "" && from != "0"
	options := kit.ListOptions{ResourceVersion: from, AllowWatchBookmarks: true}
	if inOrder {
		options.TimeoutSeconds = r.watchTimeout()
	}
	w, err := r.lw.Watch(ctx, options)
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	defer w.Stop()
	events, err := r.consume(ctx, w.ResultChan(), inOrder, broken)
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	if events == 0 && time.Since(began) < veryShort {
		return errVeryShortWatch
	}
	return nil
}

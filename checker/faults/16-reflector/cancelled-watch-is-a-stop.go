//go:build ignore

// Mistake: A watch that was not granted because something was cancelled is taken for a stop, and nobody asks ctx.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
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
	if errors.Is(err, context.Canceled) {
		return nil
	}
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

//go:build ignore

// Mistake: A watch is taken for one from "0" if its version begins with a zero.
// Killed by: initial-adds-do-not-move-the-version
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
	w, err := r.lw.Watch(ctx, kit.ListOptions{
		ResourceVersion:     from,
		AllowWatchBookmarks: true,
		TimeoutSeconds:      r.watchTimeout(),
	})
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	defer w.Stop()
	inOrder := from != "" && from[0] != '0'
	events, err := r.consume(ctx, w.ResultChan(), inOrder, broken)
	if err != nil {
		return fmt.Errorf("watch from %q: %w", from, err)
	}
	if events == 0 && time.Since(began) < veryShort {
		return errVeryShortWatch
	}
	return nil
}

//go:build ignore

// Mistake: TimeoutSeconds is cut to what is left until the deadline of ctx, which ends the watch anyway.
// Killed by: draws-the-timeout-of-each-watch
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) watch(ctx context.Context, broken <-chan error) error {
	began := time.Now()
	from := r.LastSyncResourceVersion()
	w, err := r.lw.Watch(ctx, kit.ListOptions{
		ResourceVersion:     from,
		AllowWatchBookmarks: true,
		TimeoutSeconds:      r.watchTimeout(ctx),
	})
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

func (r *Reflector[T]) watchTimeout(ctx context.Context) int64 {
	shortest := r.options.MinWatchTimeout.Seconds()
	seconds := shortest * (1 + rand.Float64())
	if deadline, ok := ctx.Deadline(); ok {
		seconds = min(seconds, time.Until(deadline).Seconds())
	}
	return int64(seconds)
}

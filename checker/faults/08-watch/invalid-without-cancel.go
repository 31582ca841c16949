//go:build ignore

// Mistake: A watch whose version is no number is refused when its context has been derived, and that is not cancelled.
// Killed by: ended-watches-are-forgotten
// Verdict: wrong-answer

package watch

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x := newWatcher(ctx, w, options)
	version, err := parse(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	if err := w.place(x, version); err != nil {
		x.Stop()
		return nil, err
	}
	go x.run()
	return x, nil
}

//go:build ignore

// Mistake: The context of the watch that began last is kept for a message, and all that it holds.
// Killed by: ended-watches-are-forgotten
// Verdict: wrong-answer

package watch

import (
	"context"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

var lastContext atomic.Pointer[context.Context]

func (w *Watchable[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	version, err := parse(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	x := newWatcher(ctx, w, options)
	if err := w.place(x, version); err != nil {
		x.Stop()
		return nil, err
	}
	lastContext.Store(&ctx)
	go x.run()
	return x, nil
}

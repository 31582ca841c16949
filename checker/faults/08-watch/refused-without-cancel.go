//go:build ignore

// Mistake: Watch makes a context and returns an error without cancelling it: each refused watch stays a child
//   of its caller's context.
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
	version, err := parse(options.ResourceVersion)
	if err != nil {
		return nil, err
	}
	x := newWatcher(ctx, w, options)
	if err := w.place(x, version); err != nil {
		return nil, err
	}
	go x.run()
	return x, nil
}

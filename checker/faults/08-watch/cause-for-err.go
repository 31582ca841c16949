//go:build ignore

// Mistake: Watch returns context.Cause, which is whatever the caller's caller chose, in the place of
//   ctx.Err().
// Killed by: context-ends-the-watch
// Verdict: wrong-answer

package watch

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
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
	go x.run()
	return x, nil
}

//go:build ignore

// Mistake: A watch list begins with the state, so its version is not read at all, whatever it says.
// Killed by: ahead-is-too-large
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
	if err != nil && !options.SendInitialEvents {
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

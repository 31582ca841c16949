//go:build ignore

// Mistake: What List returned last is kept, so that the next list has room for as much; its objects are kept with it.
// Killed by: history-is-bounded
// Verdict: wrong-answer

package watch

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Watchable[T kit.Object] struct {
	typ     kit.Type[T]
	options Options

	mu       sync.RWMutex // guards the fields below
	version  uint64
	objects  map[string]T
	window   window[T]
	watchers map[*watcher[T]]struct{}

	listing sync.Mutex // guards listed
	listed  []T
}

func (w *Watchable[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := ctx.Err(); err != nil {
		return kit.List[T]{}, err
	}
	atLeast, err := parse(options.ResourceVersion)
	if err != nil {
		return kit.List[T]{}, err
	}
	w.mu.RLock()
	version, items := w.version, w.snapshot(options.Namespace)
	w.mu.RUnlock()
	if atLeast > version {
		return kit.List[T]{}, tooLarge(atLeast, version)
	}
	w.listing.Lock()
	defer w.listing.Unlock()
	w.listed = append(w.listed[:0], items...)
	for i, obj := range w.listed {
		items[i] = w.typ.DeepCopy(obj)
	}
	return kit.List[T]{ResourceVersion: format(version), Items: items}, nil
}

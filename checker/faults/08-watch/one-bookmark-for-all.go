//go:build ignore

// Mistake: A watch has one bookmark object and sends it again and again: what the reader keeps changes under
//   its hands.
// Killed by: bookmarks-carry-progress
// Verdict: wrong-answer

package watch

import (
	"context"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type watcher[T kit.Object] struct {
	source  *Watchable[T]
	options kit.ListOptions
	ctx     context.Context
	cancel  context.CancelFunc
	result  chan kit.Event[T]
	wake    chan struct{}

	made     bool
	mark     T
	begin    uint64
	initial  []T
	position atomic.Uint64
}

func (x *watcher[T]) bookmark(version uint64) kit.Event[T] {
	if !x.made {
		x.made, x.mark = true, x.source.typ.New()
	}
	obj := x.mark
	obj.SetResourceVersion(format(version))
	return kit.Event[T]{Type: kit.Bookmark, Object: obj}
}

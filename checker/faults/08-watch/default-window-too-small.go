//go:build ignore

// Mistake: A Window of 0 is one hundred changes.
// Killed by: too-old-is-expired
// Verdict: wrong-answer

package watch

import (
	"cmp"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func New[T kit.Object](typ kit.Type[T], options Options) *Watchable[T] {
	options.Window = cmp.Or(options.Window, 100)
	options.BookmarkEvery = cmp.Or(options.BookmarkEvery, time.Minute)
	return &Watchable[T]{
		typ:      typ,
		options:  options,
		version:  firstVersion,
		objects:  map[string]T{},
		window:   window[T]{size: uint64(options.Window), forgotten: firstVersion},
		watchers: map[*watcher[T]]struct{}{},
	}
}

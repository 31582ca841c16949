//go:build ignore

// Mistake: A BookmarkEvery of more than an hour is taken for a mistake, and replaced by the default.
// Killed by: bookmarks-carry-progress
// Verdict: wrong-answer

package watch

import (
	"cmp"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func New[T kit.Object](typ kit.Type[T], options Options) *Watchable[T] {
	options.Window = cmp.Or(options.Window, 1024)
	options.BookmarkEvery = cmp.Or(options.BookmarkEvery, time.Minute)
	if options.BookmarkEvery > time.Hour {
		options.BookmarkEvery = time.Minute
	}
	return &Watchable[T]{
		typ:      typ,
		options:  options,
		version:  firstVersion,
		objects:  map[string]T{},
		window:   window[T]{size: uint64(options.Window), forgotten: firstVersion},
		watchers: map[*watcher[T]]struct{}{},
	}
}

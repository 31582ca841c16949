//go:build ignore

// Mistake: A watch list is held to the window like any watch, though it asks for what there is and not for
//   what has happened.
// Killed by: watch-list
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (w *Watchable[T]) place(x *watcher[T], version uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case version > w.version:
		return tooLarge(version, w.version)
	case x.options.SendInitialEvents && version != 0 && version < w.window.forgotten:
		return kit.NewResourceExpired("too old resource version: %d", version)
	case version == 0 || x.options.SendInitialEvents:
		x.begin, x.initial = w.version, w.snapshot(x.options.Namespace)
		x.position.Store(w.window.end)
	case version < w.window.forgotten:
		return kit.NewResourceExpired("too old resource version: %d (%d)", version, w.window.forgotten)
	default:
		x.position.Store(w.window.after(version))
	}
	w.watchers[x] = struct{}{}
	return nil
}

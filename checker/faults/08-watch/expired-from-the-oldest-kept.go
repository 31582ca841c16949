//go:build ignore

// Mistake: The oldest version to watch from is taken to be one below that of the oldest change that is kept. Where
//   versions have gaps, the newest change that was forgotten lies further below.
// Killed by: too-old-is-expired
// Verdict: wrong-answer

package watch

import "github.com/controllerbook/controllerbook/labs/kit"

func (w *Watchable[T]) place(x *watcher[T], version uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case version > w.version:
		return tooLarge(version, w.version)
	case version == 0 || x.options.SendInitialEvents:
		x.begin, x.initial = w.version, w.snapshot(x.options.Namespace)
		x.position.Store(w.window.end)
	case w.window.begin() > 0 && version < w.window.at(w.window.begin()).version-1:
		return kit.NewResourceExpired("too old resource version: %d (%d)", version, w.window.forgotten)
	default:
		x.position.Store(w.window.after(version))
	}
	w.watchers[x] = struct{}{}
	return nil
}

//go:build ignore

// Mistake: A watch begins with what List returns, and then goes on from where the history ends: what is
//   committed in between is in neither.
// Killed by: no-gap-while-writers-write
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
		w.mu.Unlock()
		list, _ := w.List(x.ctx, kit.ListOptions{Namespace: x.options.Namespace})
		w.mu.Lock()
		x.begin, _ = parse(list.ResourceVersion)
		x.initial = list.Items
		x.position.Store(w.window.end)
	case version < w.window.forgotten:
		return kit.NewResourceExpired("too old resource version: %d (%d)", version, w.window.forgotten)
	default:
		x.position.Store(w.window.after(version))
	}
	w.watchers[x] = struct{}{}
	return nil
}

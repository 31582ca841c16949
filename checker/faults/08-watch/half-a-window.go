//go:build ignore

// Mistake: A watcher is cut off at half a window, to be on the safe side.
// Killed by: one-window-behind-is-fine
// Verdict: wrong-answer

package watch

func (x *watcher[T]) changed(end uint64) {
	if end-x.position.Load() > x.source.window.size/2 && end > 0 {
		x.cancel()
		return
	}
	x.token()
}

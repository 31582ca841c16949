//go:build ignore

// Mistake: However small the window, a watcher may be some changes behind: Commit cuts it off only then.
// Killed by: slow-watcher-is-cut-off
// Verdict: wrong-answer

package watch

func (x *watcher[T]) changed(end uint64) {
	if end-x.position.Load() > max(x.source.window.size, 8)+1 {
		x.cancel()
		return
	}
	x.token()
}

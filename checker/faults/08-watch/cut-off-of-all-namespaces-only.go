//go:build ignore

// Mistake: Commit ends the slow watches of all namespaces only. One of a namespace is left to find out itself, and waits for its reader.
// Killed by: slow-watcher-is-cut-off
// Verdict: goroutine-leak

package watch

func (x *watcher[T]) changed(end uint64) {
	if x.options.Namespace == "" && end-x.position.Load() > x.source.window.size+1 {
		x.cancel()
		return
	}
	x.token()
}

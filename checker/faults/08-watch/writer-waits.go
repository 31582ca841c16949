//go:build ignore

// Mistake: Commit waits until the watcher has taken the wake-up, so that none is lost: a watcher whose reader
//   is slow delays all writers.
// Killed by: one-window-behind-is-fine
// Verdict: deadlock

package watch

func (x *watcher[T]) changed(end uint64) {
	if end-x.position.Load() > x.source.window.size {
		x.cancel()
		return
	}
	select {
	case x.wake <- struct{}{}:
	case <-x.ctx.Done():
	}
}

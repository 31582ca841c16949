//go:build ignore

// Mistake: The position is taken by the watcher's goroutine when it first runs: what is committed until then
//   is lost.
// Killed by: begins-at-the-call
// Verdict: wrong-answer

package watch

func (x *watcher[T]) run() {
	defer close(x.result)
	defer x.source.forget(x)
	defer x.cancel()
	if x.begin > 0 {
		x.source.mu.RLock()
		x.position.Store(x.source.window.end)
		x.source.mu.RUnlock()
	}
	if x.sendInitial() {
		x.follow()
	}
}

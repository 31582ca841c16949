//go:build ignore

// Mistake: The goroutine ends, and the ResultChan stays open: its reader waits for an end that never comes.
// Killed by: stop-closes-the-channel
// Verdict: deadlock

package watch

func (x *watcher[T]) run() {
	defer x.source.forget(x)
	defer x.cancel()
	if x.sendInitial() {
		x.follow()
	}
}

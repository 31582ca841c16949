//go:build ignore

// Mistake: The watcher itself finds out that it is too slow, when its reader comes back; one whose reader
//   never does stays for ever.
// Killed by: slow-watcher-is-cut-off
// Verdict: wrong-answer

package watch

func (x *watcher[T]) changed(end uint64) {
	_ = end
	x.token()
}

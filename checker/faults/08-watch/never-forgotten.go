//go:build ignore

// Mistake: A watcher that has ended stays registered: every write goes on looking at all that there ever were
//   (kubernetes#6627).
// Killed by: ended-watches-are-forgotten
// Verdict: wrong-answer

package watch

func (w *Watchable[T]) forget(x *watcher[T]) {
	w.mu.Lock()
	defer w.mu.Unlock()
}

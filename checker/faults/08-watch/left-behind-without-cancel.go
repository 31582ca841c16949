//go:build ignore

// Mistake: The goroutine does not cancel its context: it believes that it only ends when somebody has done that.
// Killed by: ended-watches-are-forgotten
// Verdict: wrong-answer

package watch

func (x *watcher[T]) run() {
	defer close(x.result)
	defer x.source.forget(x)
	if x.sendInitial() {
		x.follow()
	}
}

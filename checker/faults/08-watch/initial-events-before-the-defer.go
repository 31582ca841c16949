//go:build ignore

// Mistake: Only a watch whose initial events have all been sent cleans up after itself. One that ends before stays registered.
// Killed by: ended-watches-are-forgotten
// Verdict: wrong-answer

package watch

func (x *watcher[T]) run() {
	defer close(x.result)
	defer x.cancel()
	if x.sendInitial() {
		defer x.source.forget(x)
		x.follow()
	}
}

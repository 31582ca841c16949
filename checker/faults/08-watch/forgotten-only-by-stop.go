//go:build ignore

// Mistake: Only Stop takes a watcher out of the Watchable: one that ends by its context, its timeout or as too
//   slow stays registered.
// Killed by: ended-watches-are-forgotten
// Verdict: wrong-answer

package watch

func (x *watcher[T]) Stop() {
	x.cancel()
	x.source.forget(x)
}

func (x *watcher[T]) run() {
	defer close(x.result)
	defer x.cancel()
	if x.sendInitial() {
		x.follow()
	}
}

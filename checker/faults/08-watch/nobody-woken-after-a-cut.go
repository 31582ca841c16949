//go:build ignore

// Mistake: The loop that wakes watchers ends with the first that is cut off: the others sleep on until the next change.
// Killed by: slow-watcher-stalls-nobody
// Verdict: wrong-answer

package watch

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) Commit(event kit.Event[T]) {
	version, err := strconv.ParseUint(event.Object.GetResourceVersion(), 10, 64)
	if err != nil {
		panic("watch: a store committed a change without a version: " + err.Error()) // the journal's contract forbids it
	}
	key := kit.Key(event.Object)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = version
	if event.Type == kit.Deleted {
		delete(w.objects, key)
	} else {
		w.objects[key] = event.Object
	}
	w.window.add(change[T]{version, event})
	for x := range w.watchers {
		if w.window.end-x.position.Load() > w.window.size+1 {
			x.cancel()
			return
		}
		x.token()
	}
}

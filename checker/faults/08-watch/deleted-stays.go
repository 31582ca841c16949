//go:build ignore

// Mistake: A deletion is put into the history and not into the state: new watchers are shown objects that are
//   gone.
// Killed by: starts-with-what-there-is
// Verdict: wrong-answer

package watch

import (
	"strconv"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) Commit(event kit.Event[T]) {
	version, err := strconv.ParseUint(event.Object.GetResourceVersion(), 10, 64)
	if err != nil {
		panic("watch: a store committed a change without a version: " + err.Error())
	}
	key := kit.Key(event.Object)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = version
	if event.Type == kit.Deleted {
		w.objects[key] = event.Object
	} else {
		w.objects[key] = event.Object
	}
	w.window.add(change[T]{version, event})
	for x := range w.watchers {
		x.changed(w.window.end)
	}
}

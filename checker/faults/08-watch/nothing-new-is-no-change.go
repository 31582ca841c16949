//go:build ignore

// Mistake: A modification that leaves all but the version as it was is not passed on: no reader needs it.
// Killed by: replays-then-follows
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
	if old, ok := w.objects[key]; ok && event.Type == kit.Modified {
		same := w.typ.DeepCopy(old)
		same.SetResourceVersion(event.Object.GetResourceVersion())
		if w.typ.Equal(same, event.Object) {
			w.objects[key] = event.Object
			return
		}
	}
	if event.Type == kit.Deleted {
		delete(w.objects, key)
	} else {
		w.objects[key] = event.Object
	}
	w.window.add(change[T]{version, event})
	for x := range w.watchers {
		x.changed(w.window.end)
	}
}

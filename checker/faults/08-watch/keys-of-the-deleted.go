//go:build ignore

// Mistake: A deleted object leaves its place in the map behind: the keys of all objects that there ever were.
// Killed by: history-is-bounded
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
	w.objects[key] = event.Object
	if event.Type == kit.Deleted {
		var none T
		w.objects[key] = none
	}
	w.window.add(change[T]{version, event})
	for x := range w.watchers {
		x.changed(w.window.end)
	}
}

func (w *Watchable[T]) snapshot(namespace string) []T {
	var none T
	items := make([]T, 0, len(w.objects))
	for _, obj := range w.objects {
		if any(obj) != any(none) && (namespace == "" || namespace == obj.GetNamespace()) {
			items = append(items, obj)
		}
	}
	return items
}

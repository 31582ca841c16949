//go:build ignore

// Mistake: The initial state is put together from the history: what has not changed for a while is not in it.
// Killed by: starts-with-what-there-is
// Verdict: wrong-answer

package watch

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (w *Watchable[T]) snapshot(namespace string) []T {
	items := make([]T, 0, len(w.objects))
	for key, obj := range w.objects {
		if !slices.ContainsFunc(w.window.ring, func(c change[T]) bool { return kit.Key(c.event.Object) == key }) {
			continue
		}
		if namespace == "" || namespace == obj.GetNamespace() {
			items = append(items, obj)
		}
	}
	return items
}

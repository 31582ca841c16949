//go:build ignore

// Mistake: Namespaces are compared without regard to upper and lower case.
// Killed by: namespaces-apart
// Verdict: wrong-answer

package watch

import "strings"

func (w *Watchable[T]) snapshot(namespace string) []T {
	items := make([]T, 0, len(w.objects))
	for _, obj := range w.objects {
		if namespace == "" || strings.EqualFold(namespace, obj.GetNamespace()) {
			items = append(items, obj)
		}
	}
	return items
}

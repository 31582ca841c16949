//go:build ignore

// Mistake: An object with a deletionTimestamp is left out of lists and initial events, as if it were gone. It is there until
//   its finalizers are done.
// Killed by: starts-with-what-there-is
// Verdict: wrong-answer

package watch

func (w *Watchable[T]) snapshot(namespace string) []T {
	items := make([]T, 0, len(w.objects))
	for _, obj := range w.objects {
		if w.typ.Deleting(obj) == nil && (namespace == "" || namespace == obj.GetNamespace()) {
			items = append(items, obj)
		}
	}
	return items
}

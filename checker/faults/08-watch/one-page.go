//go:build ignore

// Mistake: Lists and initial events end after 500 objects, which is the size of a page of client-go; there is nothing here to ask for
//   the next page with.
// Killed by: list-meets-watch
// Verdict: wrong-answer

package watch

func (w *Watchable[T]) snapshot(namespace string) []T {
	const page = 500
	items := make([]T, 0, page)
	for _, obj := range w.objects {
		if len(items) == page {
			break
		}
		if namespace == "" || namespace == obj.GetNamespace() {
			items = append(items, obj)
		}
	}
	return items
}

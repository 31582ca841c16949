//go:build ignore

// Mistake: A status is written to the object itself. The server ignores it there, and says 200.
// Killed by: each-request-at-its-last-version
// Verdict: wrong-answer

package writer

import (
	"context"
	"net/http"
)

func (w *Writer[T]) Update(ctx context.Context, obj T) (T, error) {
	namespace, name := obj.GetNamespace(), obj.GetName()
	real, err := w.call(ctx, http.MethodGet, w.path(namespace, name), "", nil)
	if err != nil {
		return w.none(err)
	}
	patch, status, err := w.difference(real, obj)
	if err != nil {
		return w.none(err)
	}
	if status != nil {
		patch["status"] = status
	}
	return w.object(w.patch(ctx, patch, obj.GetResourceVersion(), w.path(namespace, name)))
}

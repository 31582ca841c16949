//go:build ignore

// Mistake: Update puts the whole kit object in the place of the server's: a field that kit does not have is gone.
// Killed by: what-kit-does-not-know-stays
// Verdict: wrong-answer

package writer

import (
	"context"
	"net/http"
)

func (w *Writer[T]) Update(ctx context.Context, obj T) (T, error) {
	object, err := w.fields(obj)
	if err != nil {
		return w.none(err)
	}
	stored, err := w.call(ctx, http.MethodPut, w.path(obj.GetNamespace(), obj.GetName()), "application/json", object)
	if err != nil {
		return w.none(err)
	}
	object["metadata"].(map[string]any)["resourceVersion"] = versionOf(stored)
	return w.object(w.call(ctx, http.MethodPut, w.path(obj.GetNamespace(), obj.GetName(), "status"), "application/json", object))
}

//go:build ignore

// Mistake: UpdateStatus puts the status of kit's type in the place of the server's: what kit does not know of it is gone.
// Killed by: what-others-wrote-stays
// Verdict: wrong-answer

package writer

import (
	"context"
	"net/http"
)

func (w *Writer[T]) UpdateStatus(ctx context.Context, obj T) (T, error) {
	object, err := w.fields(obj)
	if err != nil {
		return w.none(err)
	}
	return w.object(w.call(ctx, http.MethodPut, w.path(obj.GetNamespace(), obj.GetName(), "status"), "application/json", object))
}

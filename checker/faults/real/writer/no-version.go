//go:build ignore

// Mistake: The patch has no resource version, so it fits every version, and what was decided on an old one counts.
// Killed by: each-request-at-its-last-version
// Verdict: wrong-answer

package writer

import (
	"context"
	"net/http"
)

func (w *Writer[T]) patch(ctx context.Context, patch map[string]any, version, path string) (map[string]any, error) {
	return w.call(ctx, http.MethodPatch, path, "application/merge-patch+json", patch)
}

//go:build ignore

// Mistake: managedFields are cleared with each write, because nobody here reads them.
// Killed by: adopts-and-leaves-the-rest
// Verdict: wrong-answer

package writer

import (
	"context"
	"net/http"
)

func (w *Writer[T]) patch(ctx context.Context, patch map[string]any, version, path string) (map[string]any, error) {
	metadata, _ := patch["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["resourceVersion"] = version
	metadata["managedFields"] = []any{map[string]any{}}
	sent := map[string]any{"metadata": metadata}
	for key, value := range patch {
		if key != "metadata" {
			sent[key] = value
		}
	}
	return w.call(ctx, http.MethodPatch, path, "application/merge-patch+json", sent)
}

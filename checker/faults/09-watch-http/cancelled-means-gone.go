//go:build ignore

// Mistake: An error that says that a context has ended is taken for a client that is gone, to whom nothing need
//   be said.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"errors"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) list(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	list, err := s.source.List(r.Context(), options)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	if err != nil {
		refuse(w, err)
		return
	}
	out := objectList[T]{
		TypeMeta: kit.TypeMeta{Kind: s.typ.Kind + "List", APIVersion: s.typ.APIVersion},
		Metadata: listMeta{list.ResourceVersion},
		Items:    list.Items,
	}
	if out.Items == nil {
		out.Items = []T{}
	}
	answer(w, http.StatusOK, out)
}

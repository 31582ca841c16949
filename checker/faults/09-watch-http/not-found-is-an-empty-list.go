//go:build ignore

// Mistake: A source that finds nothing is thought to have an empty list. The refusal becomes a 200, and the client
//   takes all that it knows for deleted.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) list(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	list, err := s.source.List(r.Context(), options)
	if err != nil && !kit.IsNotFound(err) {
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

//go:build ignore

// Mistake: An empty list is written as null, since encoding/json makes that of a nil slice.
// Killed by: lists-as-the-api-server
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) list(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	list, err := s.source.List(r.Context(), options)
	if err != nil {
		refuse(w, err)
		return
	}
	out := objectList[T]{
		TypeMeta: kit.TypeMeta{Kind: s.typ.Kind + "List", APIVersion: s.typ.APIVersion},
		Metadata: listMeta{list.ResourceVersion},
		Items:    list.Items,
	}
	answer(w, http.StatusOK, out)
}

//go:build ignore

// Mistake: An object whose deletion has been asked for is left out of the list, as if it were gone already.
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
		Items:    []T{},
	}
	for _, obj := range list.Items {
		if s.typ.Deleting(obj) == nil {
			out.Items = append(out.Items, obj)
		}
	}
	answer(w, http.StatusOK, out)
}

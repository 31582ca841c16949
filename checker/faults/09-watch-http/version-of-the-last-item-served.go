//go:build ignore

// Mistake: A list must have a version, so Handler gives it that of its last item where the source has none.
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
	if n := len(list.Items); list.ResourceVersion == "" && n > 0 {
		list.ResourceVersion = list.Items[n-1].GetResourceVersion()
	}
	out := objectList[T]{
		TypeMeta: kit.TypeMeta{Kind: s.typ.Kind + "List", APIVersion: s.typ.APIVersion},
		Metadata: listMeta{list.ResourceVersion},
		Items:    list.Items,
	}
	if out.Items == nil {
		out.Items = []T{} // null is not a list, to most who read JSON
	}
	answer(w, http.StatusOK, out)
}

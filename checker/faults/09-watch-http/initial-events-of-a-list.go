//go:build ignore

// Mistake: A list with sendInitialEvents=true is refused, as an API server does it. Handler has no such rule.
// Killed by: parameters-reach-the-source
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) list(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		refuse(w, kit.NewStatusError(kit.ReasonBadRequest, "sendInitialEvents is forbidden for list"))
		return
	}
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
	if out.Items == nil {
		out.Items = []T{}
	}
	answer(w, http.StatusOK, out)
}

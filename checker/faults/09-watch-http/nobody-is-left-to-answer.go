//go:build ignore

// Mistake: A request whose context is done is taken for one whose client is gone. When the server shuts down its clients are
//   there still, and read an empty 200.
// Killed by: shutdown-ends-streams
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) list(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	list, err := s.source.List(r.Context(), options)
	if r.Context().Err() != nil {
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

//go:build ignore

// Mistake: The watch of the source is stopped at its end and at that of the context, and a write that fails
//   is forgotten.
// Killed by: client-gone-ends-the-watch
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) watch(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	watch, err := s.source.Watch(r.Context(), options)
	switch {
	case kit.IsResourceExpired(err):
		out := open(w)
		_ = out.send(kit.Error, statusOf(err))
		return
	case err != nil:
		refuse(w, err)
		return
	}
	out := open(w)
	for {
		select {
		case event, ok := <-watch.ResultChan():
			if !ok {
				watch.Stop()
				return
			}
			if out.event(event.Type, event.Object, event.Status) != nil {
				return
			}
		case <-r.Context().Done():
			watch.Stop()
			return
		}
	}
}

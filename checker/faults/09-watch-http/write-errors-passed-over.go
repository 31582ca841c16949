//go:build ignore

// Mistake: The error of a write is not looked at: the client will be gone some day, and the context will say
//   so.
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
	defer watch.Stop()
	out := open(w)
	for {
		select {
		case event, ok := <-watch.ResultChan():
			if !ok {
				return
			}
			out.event(event.Type, event.Object, event.Status)
		case <-r.Context().Done():
			return
		}
	}
}

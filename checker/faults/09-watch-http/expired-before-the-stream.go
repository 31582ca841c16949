//go:build ignore

// Mistake: A watch that is too old is refused like a list; upstream says so inside a 200.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) watch(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	watch, err := s.source.Watch(r.Context(), options)
	switch {
	case kit.IsResourceExpired(err) && r.Method == "":
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
			if !ok || out.event(event.Type, event.Object, event.Status) != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

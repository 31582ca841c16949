//go:build ignore

// Mistake: An ERROR ends the answer, although the source's watch goes on.
// Killed by: streams-one-event-a-line
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
			if !ok || out.event(event.Type, event.Object, event.Status) != nil || event.Type == kit.Error {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

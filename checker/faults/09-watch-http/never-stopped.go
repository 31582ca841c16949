//go:build ignore

// Mistake: The source's watch is left to its context (kubernetes#6627: a watch that nobody stops stays for
//   ever).
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
			if !ok || out.event(event.Type, event.Object, event.Status) != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

//go:build ignore

// Mistake: The watch gets a context that the client does not end, and the loop waits for events alone: a
//   client that hangs up on a quiet namespace is never noticed.
// Killed by: client-gone-ends-the-watch
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) watch(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	watch, err := s.source.Watch(context.WithoutCancel(r.Context()), options)
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
			if !ok || out.event(event.Type, event.Object, event.Status) != nil {
				return
			}
		}
	}
}

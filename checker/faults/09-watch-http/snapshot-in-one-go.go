//go:build ignore

// Mistake: The objects of a watch list are one snapshot, so they are sent together with the bookmark that ends them.
// Killed by: each-event-at-once
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
		// Upstream has answered 200 by the time it looks into its window, so it says
		// so in the stream (apiserver storage/cacher newErrWatcher). Clients know both.
		out := open(w)
		_ = out.send(kit.Error, statusOf(err))
		return
	case err != nil:
		refuse(w, err)
		return
	}
	defer watch.Stop()
	out := open(w)
	whole := !options.SendInitialEvents
	for {
		select {
		case event, ok := <-watch.ResultChan():
			whole = whole || event.Type == kit.Bookmark
			if !ok || out.line(event.Type, event.Object, event.Status) != nil {
				return
			}
			if whole && out.control.Flush() != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

// line writes an event, and does not flush.
func (f frames) line(what kit.EventType, object any, status *kit.Status) error {
	if what == kit.Error {
		object = status
	}
	return f.encoder.Encode(frame[any]{what, object})
}

//go:build ignore

// Mistake: A goroutine takes events from the source before they can be written, so that the source need not wait.
// Killed by: slow-reader-holds-the-line
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
	events := make(chan kit.Event[T], 16)
	go func() {
		defer close(events)
		for event := range watch.ResultChan() {
			select {
			case events <- event:
			case <-r.Context().Done():
				return
			}
		}
	}()
	out := open(w)
	for {
		select {
		case event, ok := <-events:
			if !ok || out.event(event.Type, event.Object, event.Status) != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

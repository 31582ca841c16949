//go:build ignore

// Mistake: The source's watch has the context of the request and ends with it, so Handler waits for that alone.
// Killed by: shutdown-ends-streams
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
	for event := range watch.ResultChan() {
		if out.event(event.Type, event.Object, event.Status) != nil {
			return
		}
	}
}

//go:build ignore

// Mistake: Handler ends the watch itself some seconds after its timeoutSeconds, in case that the source has forgotten.
// Killed by: timeout-ends-cleanly
// Verdict: wrong-answer

package watchhttp

import (
	"context"
	"net/http"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (s server[T]) watch(w http.ResponseWriter, r *http.Request, options kit.ListOptions) {
	if options.TimeoutSeconds > 0 && options.TimeoutSeconds < 1<<32 {
		ctx, cancel := context.WithTimeout(r.Context(), time.Duration(options.TimeoutSeconds+5)*time.Second)
		defer cancel()
		r = r.WithContext(ctx)
	}
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

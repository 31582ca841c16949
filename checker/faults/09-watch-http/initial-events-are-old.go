//go:build ignore

// Mistake: What is not above the version that the client has named it is thought to know: the initial events of a
//   watch list have older versions, all of them.
// Killed by: through-both-ends
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"
	"strconv"

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
	from, _ := strconv.Atoi(options.ResourceVersion)
	for {
		select {
		case event, ok := <-watch.ResultChan():
			if !ok {
				return
			}
			if event.Type == kit.Added {
				if version, err := strconv.Atoi(event.Object.GetResourceVersion()); err == nil && version <= from {
					continue
				}
			}
			if out.event(event.Type, event.Object, event.Status) != nil {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}

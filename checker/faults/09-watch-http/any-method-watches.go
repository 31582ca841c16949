//go:build ignore

// Mistake: The method is looked at for a list only: a POST with watch=1 is a watch.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import "net/http"

func (s server[T]) get(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	options, err := parse(query)
	if err != nil {
		refuse(w, err)
		return
	}
	options.Namespace = r.PathValue("namespace")
	if flag(query, "watch") {
		s.watch(w, r, options)
		return
	}
	if r.Method != http.MethodGet {
		refuse(w, methodNotAllowed(r.Method))
		return
	}
	s.list(w, r, options)
}

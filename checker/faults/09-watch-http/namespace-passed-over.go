//go:build ignore

// Mistake: The path with a namespace is there, and what stands in it is not read.
// Killed by: lists-as-the-api-server
// Verdict: wrong-answer

package watchhttp

import "net/http"

func (s server[T]) get(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		refuse(w, methodNotAllowed(r.Method))
		return
	}
	query := r.URL.Query()
	options, err := parse(query)
	if err != nil {
		refuse(w, err)
		return
	}
	options.Namespace = ""
	if flag(query, "watch") {
		s.watch(w, r, options)
	} else {
		s.list(w, r, options)
	}
}

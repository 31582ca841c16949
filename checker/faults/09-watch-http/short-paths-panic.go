//go:build ignore

// Mistake: The path is taken apart, and one of its parts is used, without a look at how many it has: GET /api
//   ends in a panic.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func Handler[T kit.Object](typ kit.Type[T], source kit.ListerWatcher[T]) http.Handler {
	s := server[T]{typ, source}
	mux := http.NewServeMux()
	for _, path := range []string{collection(typ, ""), collection(typ, "{namespace}")} {
		mux.HandleFunc(path, s.get)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		what := "path"
		if strings.HasPrefix(r.URL.Path, "/api") {
			what = strings.Split(r.URL.Path, "/")[2] // "v2", of "/api/v2/pods"
		}
		refuse(w, kit.NewNotFound(what, r.URL.Path))
	})
	return mux
}

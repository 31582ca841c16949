//go:build ignore

// Mistake: The mux answers unknown paths itself, in plain text.
// Killed by: refusals-are-a-status
// Verdict: wrong-answer

package watchhttp

import (
	"net/http"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func Handler[T kit.Object](typ kit.Type[T], source kit.ListerWatcher[T]) http.Handler {
	s := server[T]{typ, source}
	mux := http.NewServeMux()
	for _, path := range []string{collection(typ, ""), collection(typ, "{namespace}")} {
		mux.HandleFunc(path, s.get)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		http.NotFound(w, r)
	})
	return mux
}

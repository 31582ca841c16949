//go:build ignore

// Mistake: The wrapper around the ResponseWriter is made once to spare allocations, and shared by all
//   requests.
// Killed by: stop-under-load
// Verdict: data-race

package servers

import (
	"fmt"
	"net/http"
)

func counted(next http.Handler, counters *Counters) http.Handler {
	a := new(answer)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*a = answer{ResponseWriter: w}
		defer func() {
			p := recover()
			code := a.status()
			if p != nil {
				code = http.StatusInternalServerError
			}
			counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			if p != nil {
				a.fail(p, r)
			}
		}()
		next.ServeHTTP(a, r)
	})
}

//go:build ignore

// Mistake: A request whose context has ended is counted as 499. In a shutdown that is every answer that is still
//   under way, and their clients get them.
// Killed by: counts-answers
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net/http"
)

func counted(next http.Handler, counters *Counters) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w}
		defer func() {
			p := recover()
			code := a.status()
			if r.Context().Err() != nil {
				code = 499
			}
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

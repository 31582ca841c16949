//go:build ignore

// Mistake: A panic whose request has a context that is done is not counted: its client has gone away. In a shutdown
//   that is every request.
// Killed by: half-an-answer-is-cut
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
			if p != nil {
				code = http.StatusInternalServerError
			}
			if p != nil && r.Context().Err() != nil {
				a.fail(p, r)
				return
			}
			counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			if p != nil {
				a.fail(p, r)
			}
		}()
		next.ServeHTTP(a, r)
	})
}

//go:build ignore

// Mistake: Counting must not delay the answer, so a goroutine does it; the client has its answer before.
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
			if p != nil {
				code = http.StatusInternalServerError
			}
			go counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			if p != nil {
				a.fail(p, r)
			}
		}()
		next.ServeHTTP(a, r)
	})
}

//go:build ignore

// Mistake: A client that asks with Expect whether it may send a large body is refused, before app has seen its
//   request.
// Killed by: probes-while-serving
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net/http"
)

func counted(next http.Handler, counters *Counters) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Expect") != "" && r.ContentLength > 1<<16 {
			w.WriteHeader(http.StatusExpectationFailed)
			return
		}
		a := &answer{ResponseWriter: w}
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

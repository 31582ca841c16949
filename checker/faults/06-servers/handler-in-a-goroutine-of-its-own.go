//go:build ignore

// Mistake: app runs in another goroutine, and the recover around the go statement is believed to reach it.
// Killed by: panic-is-answered
// Verdict: panic

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
			counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			if p != nil {
				a.fail(p, r)
			}
		}()
		done := make(chan struct{})
		go func() {
			defer close(done)
			next.ServeHTTP(a, r)
		}()
		<-done
	})
}

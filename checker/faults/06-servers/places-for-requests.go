//go:build ignore

// Mistake: app gets a hundred requests at once, and the others wait: with as many watches open, nobody is answered.
// Killed by: probes-while-serving
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net/http"
)

func counted(next http.Handler, counters *Counters) http.Handler {
	places := make(chan struct{}, 100)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		places <- struct{}{}
		defer func() { <-places }()
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

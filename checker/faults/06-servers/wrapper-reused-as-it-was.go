//go:build ignore

// Mistake: Wrappers are kept for the next request and cleared when app returns, which one that panics does not.
// Killed by: half-an-answer-is-cut
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net/http"
)

func counted(next http.Handler, counters *Counters) http.Handler {
	spare := make(chan *answer, 16)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a *answer
		select {
		case a = <-spare:
			a.ResponseWriter = w
		default:
			a = &answer{ResponseWriter: w}
		}
		defer func() {
			select {
			case spare <- a:
			default:
			}
		}()
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
			a.code = 0
		}()
		next.ServeHTTP(a, r)
	})
}

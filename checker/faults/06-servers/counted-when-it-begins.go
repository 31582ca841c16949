//go:build ignore

// Mistake: A request is counted when its answer begins: one that panics later is counted twice, and a stream
//   before it has ended.
// Killed by: streams-flow
// Verdict: wrong-answer

package servers

import (
	"fmt"
	"net/http"
)

func counted(next http.Handler, counters *Counters) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w, counters: counters}
		defer func() {
			p := recover()
			code := a.status()
			if p != nil {
				code = http.StatusInternalServerError
			}
			if a.code != http.StatusOK || p != nil {
				counters.Inc(fmt.Sprintf("http_requests_total{code=\"%d\"}", code))
			}
			if p != nil {
				a.fail(p, r)
			}
		}()
		next.ServeHTTP(a, r)
	})
}

type answer struct {
	http.ResponseWriter
	code int

	counters *Counters
}

func (a *answer) Write(p []byte) (int, error) {
	if a.code == 0 {
		a.code = http.StatusOK
		a.counters.Inc(`http_requests_total{code="200"}`)
	}
	return a.ResponseWriter.Write(p)
}

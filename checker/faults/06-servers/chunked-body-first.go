//go:build ignore

// Mistake: A body without a Content-Length is read before app is called, so that app knows how long it is. An upload
//   that goes on for long reaches app when it is over.
// Killed by: probes-while-serving
// Verdict: wrong-answer

package servers

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

func counted(next http.Handler, counters *Counters) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength < 0 {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
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

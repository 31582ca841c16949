package serverstest

import (
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// countsASwitch has app answer with 101, the one informational status that is an answer.
func countsASwitch(t *conform.T, s Subject) {
	counters := s.Counters()
	api := s.API(handler(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusEarlyHints)
		w.WriteHeader(http.StatusSwitchingProtocols)
	}), counters, Settings{})
	t.Do(func() {
		s.Handler(api).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
	}, "GET api/, which is answered with 103 and then 101")
	got := scrape(t, s, s.Metrics(counters, Settings{}))
	shows(t, got, map[string]float64{`http_requests_total{code="101"}`: 1}, "app set the status 103, which is informational, and then 101, which is the answer.")
}

// scrape asks the handler of a metrics server without a connection.
func scrape(t *conform.T, s Subject, metrics Handle) map[string]float64 {
	w := httptest.NewRecorder()
	s.Handler(metrics).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	t.Require(w.Code == 200, "The metrics server answered %d and not 200.", w.Code)
	body := w.Body.String()
	t.Note("/metrics shows %s", strings.Join(strings.Fields(body), " "))
	return counts(t, w.Header(), body)
}

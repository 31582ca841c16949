package serverstest

import (
	"context"
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

// staysTogether reads the counters many times: each walk over a map has another order, and what is wrong with
// how they are sorted then shows in some of them alone.
func staysTogether(t *conform.T, s Subject, counters Counters) {
	const rounds = 20
	metrics := s.Handler(s.Metrics(counters, Settings{}))
	call := t.Call("GET metrics/metrics, %d times", rounds)
	for range rounds {
		w := httptest.NewRecorder()
		metrics.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		counts(t, w.Header(), w.Body.String())
	}
	call.Returned("")
}

// countsInTime looks at the counters each time that the handler returns: net/http completes the answer after that.
func countsInTime(t *conform.T, s Subject) {
	const rounds = 100
	const series = `http_requests_total{code="200"}`
	counters := s.Counters()
	api := s.Handler(s.API(says("hello"), counters, Settings{}))
	metrics := s.Handler(s.Metrics(counters, Settings{}))
	late := 0
	call := t.Call("GET api/ and then GET metrics/metrics, %d times", rounds)
	for i := range rounds {
		answer, scraped := httptest.NewRecorder(), httptest.NewRecorder()
		ask, look := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRequest(http.MethodGet, "/metrics", nil)
		api.ServeHTTP(answer, ask)
		metrics.ServeHTTP(scraped, look)
		if counts(t, scraped.Header(), scraped.Body.String())[series] != float64(i+1) {
			late++
		}
	}
	call.Returned("%d times the request was not counted yet", late)
	t.Require(late == 0, "The Handler of the API server returned, and its request was not counted yet, %d times of %d: it should have been, for the answer is complete soon after.", late, rounds)
}

// countsTheGone has app return without a word to a client that has gone away meanwhile.
func countsTheGone(t *conform.T, s Subject) {
	counters := s.Counters()
	ctx, gone := context.WithCancel(context.Background())
	api := s.API(handler(func(http.ResponseWriter, *http.Request) { gone() }), counters, Settings{})
	t.Do(func() {
		s.Handler(api).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx))
	}, "GET api/, whose client goes away while app has it")
	all := 0.0
	for _, n := range scrape(t, s, s.Metrics(counters, Settings{})) {
		all += n
	}
	t.Require(all == 1, "The client of a request went away, app returned, and /metrics shows %v requests in all: every request to app is counted, this one too.", all)
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

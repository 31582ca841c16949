package serverstest

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
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
	all := scrape(t, s, s.Metrics(counters, Settings{}))
	const query = "/metrics?name=jobs_total&name[]=jobs_total&debug=1"
	call := t.Call("GET metrics%s, %d times, with Accept: application/json", query, rounds)
	for range rounds {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, query, nil)
		r.Header.Set("Accept", "application/json")
		metrics.ServeHTTP(w, r)
		t.Require(w.Code == 200, "The metrics server answered a scrape with %d, and not with 200: its client says that it accepts application/json, and has a query. Neither changes anything.", w.Code)
		shows(t, counts(t, w.Header(), w.Body.String()), all, "A scrape has the query name=jobs_total&name[]=jobs_total&debug=1, which changes nothing.")
	}
	call.Returned("")
}

// countsInTime looks at the counters each time that the handler returns: net/http completes the answer after that.
func countsInTime(t *conform.T, s Subject) {
	const rounds = 100
	const series = `http_requests_total{code="200"}`
	counters := s.Counters()
	api, shown := s.Handler(s.API(says("hello"), counters, Settings{})), s.Metrics(counters, Settings{})
	metrics := s.Handler(shown)
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
	call.Returned("%d times the request was not shown", late)
	t.Wait()
	atLast := quietly(t, s, shown)[series]
	t.Require(late == 0 || atLast != rounds, "The Handler of the API server returned, and a scrape that began after that did not show its request, %d times of %d. A moment later all of them were shown: a request is counted before its answer is complete, not after it.", late, rounds)
	t.Require(late == 0, "The Handler of the API server returned, and a scrape that began after that did not show its request, %d times of %d: either the request was not counted yet, or the text is older than the scrape.", late, rounds)
}

// showsTheLatest scrapes as a client does that keeps what it got, if the answer says how to ask whether it has changed.
// A count changes meanwhile, and the length of the text does not.
func showsTheLatest(t *conform.T, s Subject) {
	counters := s.Counters()
	metrics := s.Handler(s.Metrics(counters, Settings{}))
	kept, asks := http.Header{}, map[string]string{"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
	for i := range 3 {
		t.Do(func() { counters.Inc("kept_total") }, "Inc(kept_total)")
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/metrics", nil)
		how := ""
		for has, ask := range asks {
			if value := kept.Get(has); value != "" {
				r.Header.Set(ask, value)
				how += fmt.Sprintf(" It came with %s: %s, which the scrape before had got as %s.", ask, value, has)
			}
		}
		t.Do(func() { metrics.ServeHTTP(w, r) }, "GET metrics/metrics")
		t.Require(w.Code == 200, "A scrape began after Inc(kept_total) had returned, and was answered with %d: it should have got 200 and shown that.%s", w.Code, how)
		shows(t, counts(t, w.Header(), w.Body.String()), map[string]float64{"kept_total": float64(i + 1)}, "A scrape began after Inc(kept_total) had returned."+how)
		kept = w.Header()
	}
}

// countsBeforeTheEnd has app write all of an answer whose length it has told, and return. A wrapper that flushes that
// before it is counted completes the answer too early.
func countsBeforeTheEnd(t *conform.T, s Subject) {
	counters := s.Counters()
	metrics := s.Metrics(counters, Settings{})
	api := s.API(handler(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5")
		io.WriteString(w, "hello")
	}), counters, Settings{})
	w := &flushing{httptest.NewRecorder(), func() {
		shows(t, scrape(t, s, metrics), map[string]float64{`http_requests_total{code="200"}`: 1}, "A handler set a Content-Length of 5, wrote 5 bytes, returned without a Flush, and the wrapper flushed: the answer is complete.")
	}}
	t.Do(func() { s.Handler(api).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil)) }, "GET api/")
}

// flushing is a ResponseWriter that says when it is flushed.
type flushing struct {
	*httptest.ResponseRecorder
	flushed func()
}

// Flush says so.
func (f *flushing) Flush() { f.flushed() }

// countsNoProbes asks the probes in the Delay of a shutdown, where one of them answers 503.
func countsNoProbes(t *conform.T, s Subject) {
	api, counters := fake.InMemory("api"), s.Counters()
	v := serve(t, s, s.API(handler(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/stream" {
			<-r.Context().Done()
		}
	}), counters, Settings{Listener: api, Delay: 10 * time.Second}))
	mustGet(t, api.Door(), "/", 200, "The server was serving.")
	streaming := newClient(api.Door())
	defer streaming.close()
	stream := streaming.ask(t, "client", "/stream")
	t.Wait()
	v.cancel()
	t.Wait()
	mustGet(t, api.Door(), "/", 200, "A new request was not served during the delay.")
	for _, path := range []string{"/readyz", "/healthz"} {
		asking := newClient(api.Door())
		defer asking.close()
		asking.get(t.Actor, path)
	}
	shows(t, scrape(t, s, s.Metrics(counters, Settings{})), map[string]float64{`http_requests_total{code="200"}`: 2}, "app answered two requests with 200, one before a shutdown and one in its Delay. The probes were asked in the Delay, and are not counted, whatever they answer.")
	v.within(10*time.Second+tolerance, "A handler of app waits for the end of its r.Context(), which comes when the delay is over, and Serve did not return then.")
	v.cleanly()
	<-stream.done
	stream.whole(t, "")
	shows(t, scrape(t, s, s.Metrics(counters, Settings{})), map[string]float64{`http_requests_total{code="200"}`: 3}, "app answered three requests with 200: one before a shutdown, one in its Delay and one in its Grace.")
}

// countsTheGone has app answer a client that has gone away meanwhile.
func countsTheGone(t *conform.T, s Subject) {
	for _, c := range []struct {
		did    string
		status int
		answer func(w http.ResponseWriter)
	}{
		{"returned", 200, func(http.ResponseWriter) {}},
		{"called WriteHeader(202) and returned", 202, func(w http.ResponseWriter) { w.WriteHeader(http.StatusAccepted) }},
		{"called Write, which failed, and then WriteHeader(500)", 200, func(w http.ResponseWriter) {
			io.WriteString(w, "hello")
			w.WriteHeader(http.StatusInternalServerError)
		}},
		{"called Flush, which failed, and then WriteHeader(500)", 200, func(w http.ResponseWriter) {
			http.NewResponseController(w).Flush()
			w.WriteHeader(http.StatusInternalServerError)
		}},
	} {
		counters := s.Counters()
		ctx, gone := context.WithCancel(context.Background())
		api := s.API(handler(func(w http.ResponseWriter, _ *http.Request) {
			gone()
			c.answer(w)
		}), counters, Settings{})
		t.Do(func() {
			s.Handler(api).ServeHTTP(unheard{httptest.NewRecorder()}, httptest.NewRequest(http.MethodGet, "/", nil).WithContext(ctx))
		}, "GET api/, whose client goes away while app has it")
		got := scrape(t, s, s.Metrics(counters, Settings{}))
		shows(t, got, map[string]float64{fmt.Sprintf("http_requests_total{code=\"%d\"}", c.status): 1}, fmt.Sprintf("The client of a request went away, and app %s: the status of that answer is %d, and it is counted, too.", c.did, c.status))
	}
}

// unheard is the ResponseWriter of a client that has gone away: what is written and flushed fails, and begins the
// answer all the same, as with net/http's own.
type unheard struct{ *httptest.ResponseRecorder }

// Write fails.
func (u unheard) Write(p []byte) (int, error) {
	u.ResponseRecorder.Write(p)
	return 0, net.ErrClosed
}

// WriteString fails.
func (u unheard) WriteString(s string) (int, error) { return u.Write([]byte(s)) }

// FlushError fails.
func (u unheard) FlushError() error {
	u.ResponseRecorder.Flush()
	return net.ErrClosed
}

// countsALot counts one series more often than fits into 16 bits, and more series than a cautious limit has.
func countsALot(t *conform.T, s Subject) {
	const often, many = 1<<16 + 3, 5000 // of text, about 200 KiB
	counters := s.Counters()
	call := t.Call("Inc(often_total), %d times, and Inc of %d other series", often, many)
	want := map[string]float64{"often_total": often}
	for range often {
		counters.Inc("often_total")
	}
	for i := range many {
		series := fmt.Sprintf(`many_total{number="%04d",with="a label"}`, i)
		counters.Inc(series)
		want[series] = 1
	}
	call.Returned("")
	w := httptest.NewRecorder()
	s.Handler(s.Metrics(counters, Settings{})).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	got := counts(t, w.Header(), w.Body.String())
	t.Require(len(got) == len(want), "%d series were counted, and /metrics shows %d of them: one line for each series with its count.", len(want), len(got))
	t.Require(got["often_total"] == often, "The series often_total was counted %d times, and /metrics shows %v.", often, got["often_total"])
	t.Require(maps.Equal(got, want), "%d series were counted, and /metrics shows others, or other counts: one line for each series with its count.", len(want))
}

// scrape asks the handler of a metrics server without a connection.
func scrape(t *conform.T, s Subject, metrics Handle) map[string]float64 {
	header, body := scraped(t, s, metrics)
	t.Note("/metrics shows %s", strings.Join(strings.Fields(body), " "))
	return counts(t, header, body)
}

// quietly is scrape without a line in the history.
func quietly(t *conform.T, s Subject, metrics Handle) map[string]float64 {
	header, body := scraped(t, s, metrics)
	return counts(t, header, body)
}

// scraped is what the handler of a metrics server answers.
func scraped(t *conform.T, s Subject, metrics Handle) (header http.Header, body string) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept", "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.1") // as Prometheus asks
	s.Handler(metrics).ServeHTTP(w, r)
	t.Require(w.Code == 200, "The metrics server answered %d and not 200.", w.Code)
	return w.Header(), w.Body.String()
}

// keepsItsConnections asks for each thing that the two servers answer, twice, on one connection to each.
func keepsItsConnections(t *conform.T, s Subject) {
	api, metrics := fake.InMemory("api"), fake.InMemory("metrics")
	counters := s.Counters()
	v := serve(t, s, s.API(says("hello"), counters, Settings{Listener: api}), s.Metrics(counters, Settings{Listener: metrics}))
	for _, c := range []struct {
		door  *fake.Memory
		paths []string
	}{{api, []string{"/", "/healthz", "/readyz"}}, {metrics, []string{"/metrics", "/none"}}} {
		door, dialled := counting(c.door)
		kept := newClient(door)
		defer kept.close()
		for _, path := range append(c.paths, c.paths...) {
			r := kept.get(t.Actor, path)
			t.Require(r.err == nil, "The server was serving, and a client got no answer: %v.", r.err)
			t.Wait()
			staysOpen(t, dialled, fmt.Sprintf("A client asked %s one thing after the other, and at last for %s.", c.door.Name, path))
		}
	}
	v.ends()
}

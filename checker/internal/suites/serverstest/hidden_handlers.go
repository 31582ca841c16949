package serverstest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing/iotest"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var hiddenHandlers = []conform.Case[Subject]{
	{
		Name:   "panic-is-answered",
		Points: 4,
		Func:   "NewAPI",
		Rule:   "A handler that panics before it has answered gives its client a 500, is counted as one, and affects no other request.",
		Why:    "One object with a nil field must not take down an API server; the API server of Kubernetes answers and goes on.",
		Hint: []string{
			"net/http recovers, but what does the client get then?",
			"A deferred recover around app, in the goroutine that runs it: no other goroutine can catch its panic.",
		},
		Contract: []string{
			`200 and the body "ok" until shutdown begins (see Serve), then 503`,
			"If app panics, the process and all other requests go on. The client gets a 500 if app had not begun to answer",
			"However app panicked, the request is counted once, with code 500.",
			"no Content-Length or Content-Encoding that app had set for its own answer is sent with it",
			"After the 500 the Handler returns; it does not panic on.",
			"an informational status (1xx, except 101) does not, nor does a WriteHeader that panics because net/http knows no such status",
			"A Hijack that fails changes nothing.",
			"Requests under way may take Grace to end and get their whole answer.",
		},
		Source: "apiserver pkg/server/filters/wrap.go: WithPanicRecovery",
		Mode:   conform.Virtual,
		Check:  checkPanic,
	},
	{
		Name:   "half-an-answer-is-cut",
		Points: 4,
		Func:   "NewAPI",
		Rule:   "If a handler panics after it has begun to answer, or panics with http.ErrAbortHandler, the connection is cut.",
		Why:    "A list of pods that ends early and looks complete makes a controller delete what it does not see.",
		Hint: []string{
			"After your recover the function returns, and net/http ends the answer as if all were well. How can you prevent that?",
			"panic(http.ErrAbortHandler) from the deferred function: net/http then cuts the connection and logs nothing.",
			"Three calls begin an answer: WriteHeader, Write, and a Flush before either.",
		},
		Contract: []string{
			"The client gets a 500 if app had not begun to answer",
			"WriteHeader, Write and a Flush each begin an answer",
			"the connection is cut, whatever the status and the method, so that no client takes half an answer for a whole one",
			"an informational status (1xx, except 101) does not",
			"A panic with http.ErrAbortHandler always cuts the connection",
			"However app panicked, the request is counted once, with code 500.",
			"with the status that the answer has",
		},
		Source: "Go net/http/server.go: ErrAbortHandler",
		Mode:   conform.Virtual,
		Check:  checkHalfAnswer,
	},
	{
		Name:   "streams-flow",
		Points: 5,
		Func:   "NewAPI",
		Look:   []string{"NewAPI", "Serve"},
		Rule:   "app can flush, set deadlines and hijack its connection through http.ResponseController; what it has flushed reaches the client while it goes on.",
		Why:    "A watch whose events wait in a buffer is no watch.",
		Hint: []string{
			"Your ResponseWriter embeds the real one as an interface. Which methods does it have, and which has it lost?",
			"http.ResponseController looks for a method Unwrap() http.ResponseWriter.",
		},
		Contract: []string{
			"Through http.NewResponseController(w) app can do all that it could with that one, flush above all, and it sees the same errors.",
			"app's ResponseWriter behaves as the one that the Handler was given",
			"Every request to app is counted in counters when app has returned",
			"A connection that app hijacks is app's own from then on: the wrapper leaves it alone when app returns, and Serve neither closes it nor waits for it or for its handler.",
		},
		Source: "Go net/http/responsecontroller.go: ResponseController; apiserver pkg/server/httplog/httplog.go: respLogger.Unwrap",
		Mode:   conform.Virtual,
		Check:  checkStreamsFlow,
	},
	{
		Name:   "stop-under-load",
		Long:   true,
		Points: 5,
		Func:   "Serve",
		Rule:   "Shutdown may begin in the middle of any number of requests: nothing is shared without synchronisation.",
		Why:    "Probes, scrapes and requests do not pause for a rollout.",
		Hint: []string{
			"Which goroutine writes what /readyz reads? The two need something from sync or sync/atomic between them.",
		},
		Contract: []string{"Shutdown begins when ctx is done or when a server fails", `200 and the body "ok" until shutdown begins (see Serve), then 503`},
		Source:   "The Go Memory Model",
		Mode:     conform.Copies,
		Check:    checkStopUnderLoad,
	},
	{
		Name:   "counts-are-exact",
		Long:   true,
		Points: 5,
		Func:   "Counters.Inc",
		Rule:   "However many goroutines count and scrape at once, no increment is lost and no count ever falls.",
		Why:    "rate() takes a falling counter for a restart and shows a peak that never was; an alert on it wakes somebody for nothing.",
		Hint: []string{
			"count++ is a read, an addition and a write. What if two goroutines read before either writes?",
			"Two goroutines can find the same series missing. Look again once you hold the lock.",
		},
		Contract: []string{
			"Each of its series begins at zero when it is first counted, is not shown before that, and only ever grows.",
			"All methods may be called by any number of goroutines at once",
			"A scrape that begins after Inc has returned shows it.",
		},
		Source: "The Go Memory Model; Prometheus documentation, Metric types: a counter can only increase or be reset to zero",
		Mode:   conform.Copies,
		Check:  checkExact,
	},
	{
		Name:   "slow-scrape-holds-up-nobody",
		Points: 4,
		Func:   "Counters.Inc",
		Rule:   "Inc never waits for the client of a scrape.",
		Why:    "Every request counts. If counting waits for a slow scraper, the whole API waits.",
		Hint: []string{
			"Do you hold the lock while you write the answer? How long may that take?",
			"Copy under the lock, or format into a buffer; write to the client after you have released it.",
		},
		Contract: []string{"a client that reads slowly delays no caller of Inc", "A scrape that begins after Inc has returned shows it."},
		Source:   "the contract of this lab",
		Check:    checkSlowScrape,
	},
}

// panics is a handler that panics, at most paths.
func panics(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/slow":
		select {
		case <-time.After(5 * time.Second):
		case <-r.Context().Done():
			io.WriteString(w, "my context has ended")
			return
		}
	case "/panic":
		w.Header().Set("Content-Length", "5")
		w.Header().Set("Content-Encoding", "gzip")
		panic("the handler's own mistake")
	case "/number":
		w.Header().Set("Content-Length", "1000")
		w.Header().Set("Content-Encoding", "zstd")
		panic(42)
	case "/index":
		w.Header().Set("Content-Length", "0")
		w.Header().Set("Content-Encoding", "br")
		parts := strings.Split(r.URL.Path, "/")
		w.Header().Set("Part", parts[len(parts)]) // there is none
	case "/encoded":
		w.Header().Set("Content-Encoding", "gzip")
		panic("the handler's own mistake")
	case "/length":
		w.Header().Set("Content-Length", "5")
		panic("the handler's own mistake")
	case "/source":
		io.Copy(w, struct{ io.Reader }{panicking{}}) // uses w's ReadFrom, where there is one: not a byte comes
	case "/error":
		var missing *nothing
		panic(missing) // an error, and its Error panics, too
	case "/status":
		w.WriteHeader(1000) // panics: there is no such status
	case "/late":
		<-r.Context().Done()
		panic("the handler's own mistake")
	case "/hints":
		w.WriteHeader(http.StatusEarlyHints) // informational: the answer has not begun
		panic("the handler's own mistake")
	}
	io.WriteString(w, "hello")
}

// nothing is an error whose method needs what a nil pointer has not.
type nothing struct{ what string }

// Error says what is missing.
func (n *nothing) Error() string { return n.what }

// didFirst is what the handler of some paths does before it panics.
var didFirst = map[string]string{
	"/panic":   "set Content-Length to 5 and Content-Encoding to gzip and panicked, before it had begun to answer",
	"/number":  "set Content-Length to 1000 and Content-Encoding to zstd and panicked, before it had begun to answer",
	"/index":   "set Content-Length to 0 and Content-Encoding to br and used an index that is out of range, before it had begun to answer",
	"/encoded": "set Content-Encoding to gzip and no Content-Length and panicked, before it had begun to answer",
	"/length":  "set Content-Length to 5 and no Content-Encoding and panicked, before it had begun to answer",
	"/source":  "called io.Copy with a reader whose first Read panicked, before it had begun to answer",
	"/error":   "panicked with an error that is a nil pointer, and whose Error panics, before it had begun to answer",
	"/status":  "called WriteHeader(1000), which panics and begins no answer",
	"/hints":   "set the informational status 103 and panicked, before it had begun to answer",
}

func checkPanic(t *conform.T, open func() Subject) {
	s, api := open(), fake.InMemory("api")
	counters := s.Counters()
	metrics := s.Metrics(counters, Settings{})
	v := serve(t, s, s.API(handler(panics), counters, Settings{Listener: api}))
	neighbour, unlucky := newClient(api.Door()), newClient(api.Door())
	defer neighbour.close()
	defer unlucky.close()
	slow := neighbour.ask(t, "neighbour", "/slow")
	t.Wait()
	for _, path := range []string{"/panic", "/panic", "/number", "/index", "/encoded", "/length", "/source", "/error", "/status", "/hints"} {
		did := cmp.Or(didFirst[path], "panicked before it had answered")
		r := unlucky.get(t.Actor, path)
		t.Require(r.err == nil, "A handler %s, and its client did not get a 500, but: %v.", did, r.err)
		t.Require(r.code == 500, "A handler %s, and its client got %d: it should have got 500.", did, r.code)
		encoding := r.header.Get("Content-Encoding")
		t.Require(encoding == "", "A handler %s, and the 500 says that it has the Content-Encoding %s, which was for app's own answer: its client can't read it.", did, encoding)
		r = unlucky.get(t.Actor, "/")
		t.Require(r.code == 200, "A handler panicked, and the next request was not served with 200, but: %v.", r)
		r = unlucky.get(t.Actor, "/readyz")
		t.Require(r.code == 200, "A handler panicked, and /readyz answered %v after that: it answers 200 until shutdown begins.", r)
	}
	<-slow.done
	t.Require(slow.err == nil, "The handler of one request panicked, and another that was under way was lost: %v.", slow.err)
	t.Require(slow.body == "hello", "The handler of one request panicked, and the handler of another that was under way, which answers “hello”, answered %q.", slow.body)
	got := scrape(t, s, metrics)
	shows(t, got, map[string]float64{`http_requests_total{code="500"}`: 10, `http_requests_total{code="200"}`: 11}, "Ten handlers panicked and eleven answered with 200.")
	panicsInTheDrain(t, v, api)
	panicsManyTimes(t, s)
	panicsAfterAHijack(t, s)
}

// panicsManyTimes has more requests panic than a limit on requests would have places.
func panicsManyTimes(t *conform.T, s Subject) {
	const times = 150
	api := s.Handler(s.API(handler(panics), s.Counters(), Settings{}))
	call := t.Call("GET api/panic, %d times, and GET api/", times)
	for range times {
		p := recovered(func() { api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/panic", nil)) })
		t.Require(p == nil, "app panicked before it had begun to answer, and the Handler of the API server panicked on, with “%v”. After the 500 the Handler returns.", p)
	}
	w, answered := httptest.NewRecorder(), make(chan struct{})
	go func() {
		defer close(answered)
		api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	}()
	t.Wait()
	t.Require(probe.Closed(answered), "%d handlers had panicked, and the next request got no answer: all other requests go on.", times)
	call.Returned("%d", w.Code)
	t.Require(w.Code == 200, "%d handlers had panicked, and the next request was not served with 200, but with %d.", times, w.Code)
}

// recovered is what f panicked with, or nil.
func recovered(f func()) (p any) {
	defer func() { p = recover() }()
	f()
	return nil
}

// panicsInTheDrain shuts down with a request under way whose handler panics when its context ends.
func panicsInTheDrain(t *conform.T, v *serving, api *fake.Memory) {
	asking := newClient(api.Door())
	defer asking.close()
	late := asking.ask(t, "client", "/late")
	t.Wait()
	v.cancel()
	<-late.done
	t.Require(late.err == nil && late.code == 500, "A handler waited for the end of its context, which the shutdown brought, and panicked before it had answered. Its grace was not over, and its client did not get a 500, but: %v.", late.reply)
	v.within(tolerance, "Serve did not return when the last request had ended.")
	v.cleanly()
}

// halfAnswers is what the handler of each path does to its answer.
var halfAnswers = map[string]string{
	"/nothing":  "panicked at once",
	"/flushed":  "flushed half of its answer and panicked",
	"/begun":    "flushed its header and panicked",
	"/flusher":  "flushed its header, with the method Flush of its ResponseWriter if that has one, and panicked",
	"/header":   "called WriteHeader and panicked",
	"/refused":  "called WriteHeader(403) and panicked",
	"/broken":   "called WriteHeader(500), wrote half of its answer and panicked",
	"/nobody":   "called WriteHeader(204) and panicked",
	"/hinted":   "set the informational status 103, flushed its header and panicked",
	"/failed":   "wrote half of its answer with io.Copy, byte by byte, from a reader that failed then, and panicked",
	"/source":   "wrote half of its answer with io.Copy, from a reader whose Read panicked then",
	"/buffered": "wrote half of its answer and panicked",
	"/empty":    "called Write with nothing and panicked",
	"/copied":   "wrote half of its answer with io.Copy and panicked",
	"/abort":    "panicked with http.ErrAbortHandler",
	"/aborted":  "wrote half of its answer and panicked with http.ErrAbortHandler",
	"/gaveup":   "set the informational status 103 and panicked with http.ErrAbortHandler",
	"/same":     "called WriteHeader(304) and panicked",
	"/missing":  "answered with 404",
}

// answersByHalf does what halfAnswers says of the path.
func answersByHalf(w http.ResponseWriter, path string) {
	switch path {
	case "/missing":
		w.WriteHeader(http.StatusNotFound)
	case "/nothing":
		panic("before the answer")
	case "/begun", "/flusher", "/flushed", "/hinted":
		flushes(w, path)
	case "/abort", "/aborted", "/gaveup":
		aborts(w, path)
	case "/header", "/refused", "/nobody", "/same":
		w.WriteHeader(map[string]int{"/header": 200, "/refused": 403, "/nobody": 204, "/same": 304}[path])
		panic("after the header")
	case "/broken":
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "half an ans")
		panic("in the middle")
	case "/failed":
		broken := io.MultiReader(iotest.OneByteReader(strings.NewReader("half an ans")), iotest.ErrReader(errFirst))
		io.Copy(w, struct{ io.Reader }{broken}) // uses w's ReadFrom, where there is one
		panic("in the middle")
	case "/source":
		half := io.MultiReader(strings.NewReader("half an ans"), panicking{})
		io.Copy(w, struct{ io.Reader }{half}) // uses w's ReadFrom, where there is one, and does not return
	case "/buffered":
		io.WriteString(w, "half an ans")
		panic("in the middle")
	case "/empty":
		w.Write(nil)
		panic("after the header")
	case "/copied":
		half := strings.NewReader("half an answer")
		io.Copy(w, io.LimitReader(half, 11)) // uses w's ReadFrom, where there is one
		panic("in the middle")
	}
}

// flushes flushes and panics, as halfAnswers says of the path.
func flushes(w http.ResponseWriter, path string) {
	f, ok := w.(http.Flusher)
	switch {
	case path == "/flusher" && ok:
		f.Flush()
		panic("after the header")
	case path == "/flushed":
		io.WriteString(w, "half an ans")
	case path == "/hinted":
		w.WriteHeader(http.StatusEarlyHints)
	}
	http.NewResponseController(w).Flush() // the header is out, perhaps without a Write
	panic("after the flush")
}

// panicking is a reader that panics.
type panicking struct{}

// Read panics.
func (panicking) Read([]byte) (int, error) { panic("in the middle") }

// aborts panics with http.ErrAbortHandler, as halfAnswers says of the path.
func aborts(w http.ResponseWriter, path string) {
	switch path {
	case "/aborted":
		io.WriteString(w, "half an ans")
	case "/gaveup":
		w.WriteHeader(http.StatusEarlyHints)
	}
	panic(http.ErrAbortHandler)
}

// halves are the requests of which no client may get a whole answer.
var halves = []string{
	"/flushed", "/begun", "/flusher", "/header", "HEAD /header", "/refused", "/broken", "/nobody", "/hinted", "/buffered", "/empty", "/copied", "/failed", "/source", "/abort", "/aborted",
	"/same", "/gaveup", "POST /buffered", "PUT /flushed", "PATCH /header", "DELETE /nobody", "POST /abort", "HEAD /abort",
}

// failures is the series of requests whose handler panicked.
const failures = `http_requests_total{code="500"}`

func checkHalfAnswer(t *conform.T, open func() Subject) {
	s, api := open(), fake.InMemory("api")
	counters := s.Counters()
	a := t.Named("app")
	app := handler(func(w http.ResponseWriter, r *http.Request) {
		defer a.Note("the handler of %s %s", r.URL.Path, halfAnswers[r.URL.Path])
		answersByHalf(w, r.URL.Path)
	})
	metrics := s.Metrics(counters, Settings{})
	v := serve(t, s, s.API(app, counters, Settings{Listener: api}))
	first := mustGet(t, api.Door(), "/nothing", 500, "The handler panicked before it had begun to answer.")
	t.Require(first.err == nil, "The handler panicked before it had begun to answer, and its client did not get a whole answer: %v.", first.err)
	var whole, cut, uncounted []string
	for _, path := range halves {
		asking := newClient(api.Door())
		defer asking.close()
		method, at := methodOf(path)
		before := quietly(t, s, metrics)[failures]
		if r := asking.send(t.Actor, method, at, nil); r.err == nil {
			whole = append(whole, fmt.Sprintf("%s, whose handler %s (%v)", path, halfAnswers[at], r))
		} else {
			cut = append(cut, path)
		}
		t.Wait()
		if n := quietly(t, s, metrics)[failures] - before; n != 1 {
			uncounted = append(uncounted, fmt.Sprintf("%s, whose handler %s, was counted %s", path, halfAnswers[at], conform.Count(int(n), "time")))
		}
		mustGet(t, api.Door(), "/missing", 404, "The handler of another request had panicked, and this one was answered with 404.")
	}
	t.Require(len(whole) == 0, "Handlers panicked after they had begun to answer, or with http.ErrAbortHandler, and their clients got whole answers: %s. Each of those connections should have been cut. Cut were: %s.", conform.Listed(whole), conform.Listed(cut))
	t.Require(len(uncounted) == 0, "However app panicked, a request is counted once, with code 500: %s.", conform.Listed(uncounted))
	shows(t, scrape(t, s, metrics), map[string]float64{failures: float64(1 + len(halves)), `http_requests_total{code="404"}`: float64(len(halves))},
		fmt.Sprintf("The handlers of %d requests panicked, and each is counted once, with code 500, whatever status it had set. %d were answered with 404.", 1+len(halves), len(halves)))
	v.ends()
	switchIsCut(t, s)
	countsTheGoneOnPanic(t, s)
}

// countsTheGoneOnPanic has app panic when its client has gone away meanwhile. The handler of a proxy does that.
func countsTheGoneOnPanic(t *conform.T, s Subject) {
	for _, path := range []string{"/nothing", "/buffered", "/abort", "/aborted"} {
		counters := s.Counters()
		ctx, gone := context.WithCancel(context.Background())
		api := s.Handler(s.API(handler(func(w http.ResponseWriter, r *http.Request) {
			gone()
			answersByHalf(w, r.URL.Path)
		}), counters, Settings{}))
		t.Do(func() {
			recovered(func() {
				api.ServeHTTP(unheard{httptest.NewRecorder()}, httptest.NewRequest(http.MethodGet, path, nil).WithContext(ctx))
			})
		}, "GET api%s, whose client goes away while app has it, and whose handler %s", path, halfAnswers[path])
		shows(t, scrape(t, s, s.Metrics(counters, Settings{})), map[string]float64{failures: 1},
			fmt.Sprintf("The client of a request went away, which ended its context, and then its handler %s. However app panicked, the request is counted once, with code 500.", halfAnswers[path]))
	}
}

// switchIsCut has app panic after 101, the one informational status that begins an answer.
func switchIsCut(t *conform.T, s Subject) {
	api := fake.InMemory("api")
	v := serve(t, s, s.API(handler(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusSwitchingProtocols)
		panic("after the header")
	}), s.Counters(), Settings{Listener: api}))
	conn, err := api.Door().Dial(t.Context())
	t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	call := t.Call("GET api/, whose handler calls WriteHeader(101) and panics")
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: api\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
	_, err = io.Copy(io.Discard, conn)
	call.Returned("%s", conform.Said(err))
	t.Require(!errors.Is(err, os.ErrDeadlineExceeded), "A handler called WriteHeader(101), which begins its answer, and panicked, and 10s later its connection was still open: it should have been cut.")
	v.ends()
}

func checkStreamsFlow(t *conform.T, open func() Subject) {
	s, api := open(), fake.InMemory("api")
	counters := s.Counters()
	metrics := s.Metrics(counters, Settings{})
	tried, late := make(chan attempt, 4), make(chan error, 1)
	v := serve(t, s, s.API(streamer(tried, late), counters, Settings{Listener: api}))
	asking := newClient(api.Door())
	defer asking.close()
	var res *http.Response
	answered := make(chan error, 1)
	t.Go("client", func(a *conform.Actor) {
		call := a.Call("GET api/")
		var err error
		res, err = asking.http.Get("http://api/")
		call.Returned("the header, %v", err)
		answered <- err
	})
	for range cap(tried) {
		try := <-tried
		t.Require(try.err == nil, "app could not %s (%v): the ResponseWriter that it is given hides that of net/http.", try.what, try.err)
	}
	err := <-answered
	t.Require(err == nil, "app had flushed, and its client got no answer: %v.", err)
	defer res.Body.Close()
	line := make([]byte, len("event\n"))
	_, err = io.ReadFull(res.Body, line)
	t.Require(err == nil, "What app had flushed did not reach the client: %v.", err)
	t.Require(string(line) == "event\n", "app flushed %q, and the client got %q.", "event\n", line)
	shows(t, scrape(t, s, metrics), nil, "app has not returned from its only request, so nothing is counted yet.")
	v.cancel()
	t.Go("client", func(*conform.Actor) { io.Copy(io.Discard, res.Body) }) // a pipe holds nothing: its end has to be read too
	v.within(tolerance, "Serve did not return although its only stream ended when its context did.")
	v.cleanly()
	t.Require(<-late != nil, "app wrote and flushed after the write deadline that it had set, and Flush returned nil: that of net/http's own ResponseWriter returns the error of its connection. (http.Flusher's Flush has none: ask the ResponseController.)")
	takesOver(t, s, false)
	takesOver(t, s, true)
	staysWithIt(t, s, false)
	staysWithIt(t, s, true)
	reachesTheWriter(t, s, false)
	reachesTheWriter(t, s, true)
	hearsOfTooMuch(t, s)
}

// attempt is what app tried to do with its ResponseWriter.
type attempt struct {
	what string
	err  error
}

// streamer is an app that flushes and stays until its context ends. It flushes once more then, when its deadline has passed.
func streamer(tried chan<- attempt, late chan<- error) http.Handler {
	return handler(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		tried <- attempt{"enable full duplex", c.EnableFullDuplex()}
		io.WriteString(w, "event\n")
		tried <- attempt{"flush", c.Flush()}
		tried <- attempt{"set a deadline for writing", c.SetWriteDeadline(time.Time{})}
		tried <- attempt{"set a deadline for reading", c.SetReadDeadline(time.Time{})}
		<-r.Context().Done()
		c.SetWriteDeadline(time.Now().Add(-time.Second))
		io.WriteString(w, "too late\n")
		late <- c.Flush()
	})
}

func checkStopUnderLoad(t *conform.T, open func() Subject) {
	s, api, metrics := open(), fake.InMemory("api"), fake.InMemory("metrics")
	counters := s.Counters()
	v := serve(t, s, s.API(says("hello"), counters, Settings{Listener: api}), s.Metrics(counters, Settings{Listener: metrics}))
	for _, c := range []struct {
		door *fake.Memory
		path string
	}{{api, "/readyz"}, {api, "/"}, {api, "/"}, {metrics, "/metrics"}} {
		t.Go("client of "+c.path, func(a *conform.Actor) { hammer(c.door.Door(), c.path) })
	}
	asking := newClient(api.Door())
	defer asking.close()
	for range 5 {
		r := asking.get(t.Actor, "/readyz")
		t.Assert(r.code == 200, "The server was serving, and /readyz answered %v.", r)
	}
	v.cancel()
	v.cleanly()
}

// hammer asks until the server is gone. It keeps no history: one goroutine per
// client and nothing in common is what lets the race detector see.
func hammer(d fake.Door, path string) {
	c := newClient(d)
	defer c.close()
	for {
		if r := c.roundTrip(http.MethodGet, path, nil); r.err != nil {
			return
		}
	}
}

func checkExact(t *conform.T, open func() Subject) {
	const goroutines, series, each = 8, 48, 6
	s := open()
	counters := s.Counters()
	metrics := s.Metrics(counters, Settings{})
	var all sync.WaitGroup
	start := make(chan struct{})
	for range goroutines {
		all.Go(func() {
			<-start
			for i := range series {
				for range each {
					counters.Inc(fmt.Sprintf(`events_total{kind="%02d"}`, i))
				}
			}
		})
	}
	call := t.Call("Inc: %d goroutines, %d series", goroutines, series)
	close(start)
	last := map[string]float64{}
	for range 3 {
		now := scrape(t, s, metrics)
		for name, n := range last {
			t.Require(now[name] >= n, "The count of %s fell from %v to %v, from one scrape to the next.", name, n, now[name])
		}
		last = now
	}
	all.Wait()
	call.Returned("")
	got := scrape(t, s, metrics)
	t.Require(len(got) == series, "%d series were counted, and a scrape shows %d.", series, len(got))
	for name, n := range got {
		t.Require(n == goroutines*each, "The series %s was counted %d times, and a scrape shows %v.", name, goroutines*each, n)
	}
	seesTheLast(t, counters, s.Handler(metrics))
}

// seesTheLast counts and scrapes in turn, while somebody else scrapes all the time: an answer that two scrapes share
// may be older than the second.
func seesTheLast(t *conform.T, counters Counters, metrics http.Handler) {
	const rounds = 8
	scraped := func() string {
		w := httptest.NewRecorder()
		metrics.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		return w.Body.String()
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for !probe.Closed(stop) {
			scraped()
		}
	}()
	late := 0
	call := t.Call("Inc(last_total) and then GET metrics/metrics, %d times, while somebody else scrapes", rounds)
	for i := range rounds {
		counters.Inc("last_total")
		if !strings.Contains(scraped(), fmt.Sprintf("last_total %d\n", i+1)) {
			late++
		}
	}
	close(stop)
	<-stopped
	call.Returned("%d times Inc was not seen", late)
	t.Require(late == 0, "Inc(last_total) returned, a scrape began after that, and did not show it, %d times of %d. Another scrape may have been under way.", late, rounds)
}

func checkSlowScrape(t *conform.T, open func() Subject) {
	const others = 1000
	s := open()
	counters := s.Counters()
	t.Do(func() { counters.Inc("old_total") }, "Inc(old_total)")
	all := map[string]float64{"old_total": 2, "new_total": 1}
	call := t.Call("Inc of %d other series", others)
	for i := range others {
		series := fmt.Sprintf(`other_total{number="%04d"}`, i)
		counters.Inc(series)
		all[series] = 1
	}
	call.Returned("")
	metrics := s.Handler(s.Metrics(counters, Settings{}))
	reading, counted := make(chan struct{}), make(chan struct{})
	slow := &blocking{ResponseRecorder: httptest.NewRecorder(), reading: reading, until: counted}
	t.Go("slow scraper", func(a *conform.Actor) {
		a.Do(func() { metrics.ServeHTTP(slow, httptest.NewRequest(http.MethodGet, "/metrics", nil)) }, "GET metrics/metrics")
	})
	<-reading
	for _, series := range []string{"old_total", "new_total"} {
		t.Do(func() { counters.Inc(series) }, "Inc(%s) during a scrape", series) // a deadlock here is the verdict
	}
	second := httptest.NewRecorder()
	t.Go("second scraper", func(a *conform.Actor) {
		a.Do(func() { metrics.ServeHTTP(second, httptest.NewRequest(http.MethodGet, "/metrics", nil)) }, "GET metrics/metrics")
	})
	t.Wait() // it has its answer by now, unless it waits for the first scrape, which it may
	close(counted)
	t.Join()
	shows(t, counts(t, second.Header(), second.Body.String()), all, "The series old_total was counted before a slow scrape and during it, new_total during it. A second scrape began after that, while the first was under way.")
	got := scrape(t, s, s.Metrics(counters, Settings{}))
	shows(t, got, all, "The series old_total was counted before a scrape and during it, new_total during it.")
}

// blocking is the ResponseWriter of a client that does not read until it is let.
type blocking struct {
	*httptest.ResponseRecorder
	once    sync.Once
	reading chan<- struct{}
	until   <-chan struct{}
}

// Write blocks the first time.
func (b *blocking) Write(p []byte) (int, error) {
	b.once.Do(func() {
		close(b.reading)
		<-b.until
	})
	return b.ResponseRecorder.Write(p)
}

// WriteString would otherwise be the recorder's own, which does not block.
func (b *blocking) WriteString(s string) (int, error) { return b.Write([]byte(s)) }
